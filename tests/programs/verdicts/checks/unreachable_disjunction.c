// expect: safe
// check: assertions,unreachable-code
// warns: no
// why: the second operand is never looked at, but the assertion is reached

extern void assert(int);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  assert(n == n || n == 1);
  return 0;
}
