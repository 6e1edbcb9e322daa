// expect: safe
// check: unsigned-overflow
// why: a product of short numbers

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned a = __VERIFIER_nondet_uint() & 0xffff;
  return a * a == 7;
}
