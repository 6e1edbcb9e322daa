// expect: unsafe
// check: unsigned-overflow
// why: this is unsigned

extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_int();
  n = n * 3;
  return n == 0;
}
