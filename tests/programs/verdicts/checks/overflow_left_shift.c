// expect: safe
// check: overflow
// why: the product with the power of two fits

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 31;
  return 1 << n;
}
