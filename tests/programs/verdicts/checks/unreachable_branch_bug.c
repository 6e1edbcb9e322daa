// expect: safe
// check: assertions,unreachable-code
// warns: yes
// why: the branch is never taken

extern void assert(int);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 2147483647) {
    assert(n > 5);
  }
  return 0;
}
