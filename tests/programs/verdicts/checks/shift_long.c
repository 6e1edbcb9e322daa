// expect: safe
// check: shift
// why: a long has 64 bits

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 40;
  unsigned long long one = 1;
  return (one << n) == 0;
}
