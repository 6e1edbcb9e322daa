// expect: safe
// check: overflow
// why: unsigned arithmetic wraps and is no overflow

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  n = n + 1;
  return n == 0;
}
