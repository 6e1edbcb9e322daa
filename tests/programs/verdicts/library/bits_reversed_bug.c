// expect: unsafe
// why: and not the second one

extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  unsigned char reversed = __builtin_bitreverse8(x);
  if ((x >> 1 & 1) != reversed >> 7 || __builtin_bitreverse8(reversed) != x) {
    reach_error();
  }
  if (__builtin_bitreverse16(0x8001) != 0x8001 || __builtin_bitreverse32(6) != 0x60000000 ||
      __builtin_bitreverse64(1) != 0x8000000000000000ull) {
    reach_error();
  }
  return 0;
}
