// expect: unsafe
// check: div-zero
// why: both sides of a bitwise operator are evaluated

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n != 0 & 10 / n > 2) {
    return 1;
  }
  return 0;
}
