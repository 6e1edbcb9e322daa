// expect: unsafe
// why: nothing more holds

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x <= 10) {
    return 0;
  }
  int evaluated = 0;
  __builtin_assume(x > 10);
  __builtin_assume(evaluated++ < 0);
  if (x < 12 || evaluated) {
    reach_error();
  }
  return 0;
}
