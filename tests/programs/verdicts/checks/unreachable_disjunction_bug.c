// expect: safe
// check: assertions,unreachable-code
// warns: yes
// why: neither operand is looked at

extern void assert(int);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n != n) {
    n = 2;
    assert(n == n || n == 1);
  }
  return 0;
}
