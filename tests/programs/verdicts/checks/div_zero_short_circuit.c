// expect: safe
// check: div-zero
// why: the division happens only behind the test

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n != 0 && 10 / n > 2) {
    return 1;
  }
  return 0;
}
