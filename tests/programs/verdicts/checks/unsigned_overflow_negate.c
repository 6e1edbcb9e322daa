// expect: safe
// check: unsigned-overflow
// why: minus zero

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n == 0) {
    return -n == 0;
  }
  return 0;
}
