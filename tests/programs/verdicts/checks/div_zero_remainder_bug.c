// expect: unsafe
// check: div-zero
// why: a remainder by zero

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned size = n & 14;
  return (int)(100 % size);
}
