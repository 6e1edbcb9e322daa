// expect: safe
// check: shift
// why: the count is below the width

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 32) {
    return (int)(1u << n);
  }
  return 0;
}
