// expect: unsafe
// check: overflow
// why: signed arithmetic does not

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int n = __VERIFIER_nondet_uint();
  n = n + 1;
  return n == 0;
}
