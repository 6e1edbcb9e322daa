// expect: safe
// check: div-zero
// why: a quotient that nobody uses

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n != 0) {
    1 / n;
  }
  return 0;
}
