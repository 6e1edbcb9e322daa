// expect: unsafe
// check: bit-scan
// why: ctz after the last bit was cleared
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), bits = 0;
  while (x) {
    bits += __builtin_ctz(x);
    x &= x - 1;
    if (bits > 100) bits = 0; bits += __builtin_ctz(x);
  }
  return bits;
}
