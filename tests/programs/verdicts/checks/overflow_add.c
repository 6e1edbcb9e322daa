// expect: safe
// check: overflow
// why: the sum of small numbers

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (a < 0 || a > 1000000000 || b < 0 || b > 1000000000) {
    return 0;
  }
  return a + b;
}
