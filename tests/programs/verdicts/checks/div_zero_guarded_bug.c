// expect: unsafe
// check: div-zero
// why: the test admits zero

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (b >= 0) {
    return a / b;
  }
  return 0;
}
