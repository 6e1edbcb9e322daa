// expect: safe
// why: what a compiler may assume is proved to hold, and the assumption has no side effects

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
  if (x < 11 || evaluated) {
    reach_error();
  }
  return 0;
}
