// expect: unsafe
// check: shift
// why: an int has not

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 40;
  unsigned one = 1;
  return (one << n) == 0;
}
