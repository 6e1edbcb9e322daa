// expect: unsafe
// check: unsigned-overflow
// why: any number is subtracted

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned b = __VERIFIER_nondet_uint();
  if (a != 0) {
    return a - b == 0;
  }
  return 0;
}
