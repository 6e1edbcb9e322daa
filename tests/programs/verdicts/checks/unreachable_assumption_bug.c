// expect: safe
// check: assertions,unreachable-code
// warns: yes
// why: the assumption contradicts itself

extern void __VERIFIER_assume(int);
extern void assert(int);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0 && n < 1);
  assert(n != 0);
  return 0;
}
