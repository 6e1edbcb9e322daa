// expect: safe
// check: unsigned-overflow
// why: the smaller number is subtracted

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned b = __VERIFIER_nondet_uint();
  if (a >= b) {
    return a - b == 0;
  }
  return 0;
}
