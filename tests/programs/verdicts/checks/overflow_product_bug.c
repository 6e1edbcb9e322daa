// expect: unsafe
// check: overflow
// why: a product before it is widened

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a < 0 || a > 100000) {
    return 0;
  }
  long long square = a * a;
  return square < 0;
}
