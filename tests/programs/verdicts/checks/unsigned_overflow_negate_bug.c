// expect: unsafe
// check: unsigned-overflow
// why: minus one

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n == 1) {
    return -n == 0;
  }
  return 0;
}
