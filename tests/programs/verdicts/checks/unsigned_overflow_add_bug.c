// expect: unsafe
// check: unsigned-overflow
// why: a sum that does not

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  if (a <= 4294967295u - 9) {
    return a + 10 == 0;
  }
  return 0;
}
