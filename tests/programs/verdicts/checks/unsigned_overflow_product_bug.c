// expect: unsafe
// check: unsigned-overflow
// why: a product of longer ones

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned a = __VERIFIER_nondet_uint() & 0x1ffff;
  return a * a == 7;
}
