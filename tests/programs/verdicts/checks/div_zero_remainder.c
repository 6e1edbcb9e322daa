// expect: safe
// check: div-zero
// why: a remainder by a number that is never zero

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned size = n | 1;
  return (int)(100 % size);
}
