// expect: unsafe
// why: and another one gives another

extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  unsigned char n = __VERIFIER_nondet_uchar();
  unsigned char back = __builtin_rotateright8(__builtin_rotateleft8(x, n), n);
  unsigned int y = __VERIFIER_nondet_uint();
  unsigned int quarter = __builtin_rotateleft32(y, 8);
  if (back != x || quarter != (y << 8 | y >> 23) || __builtin_rotateright32(quarter, 40) != y) {
    reach_error();
  }
  if (__builtin_rotateleft16(0x1234, 4) != 0x2341 || __builtin_rotateright64(1ull, 1) != 0x8000000000000000ull) {
    reach_error();
  }
  return 0;
}
