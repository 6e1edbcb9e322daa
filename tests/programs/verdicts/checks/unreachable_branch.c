// expect: safe
// check: unreachable
// why: a branch that cannot be taken, or can
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 10 && x < 10)
    __builtin_unreachable();
  return 0;
}
