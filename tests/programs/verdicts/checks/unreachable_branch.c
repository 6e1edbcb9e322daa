// expect: safe
// check: assertions,unreachable-code
// warns: no
// why: the branch can be taken

extern void assert(int);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 5) {
    assert(n > 5);
  }
  return 0;
}
