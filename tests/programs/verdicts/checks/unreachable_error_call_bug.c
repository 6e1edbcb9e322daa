// expect: safe
// check: assertions,unreachable-code
// warns: yes
// why: the test is never made

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int() % 2;
  if (n == 3) {
    n = n + 1;
    if (n == 0) {
      reach_error();
    }
  }
  return 0;
}
