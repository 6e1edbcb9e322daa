// expect: unsafe
// check: overflow
// why: a bit is shifted into the sign

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 32;
  return 1 << n;
}
