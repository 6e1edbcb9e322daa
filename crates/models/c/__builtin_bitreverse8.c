unsigned char __builtin_bitreverse8(unsigned char value) {
  unsigned long long bits = value;
  bits = (bits & 0xfull) << 4 | (bits >> 4 & 0xfull);
  bits = (bits & 0x33ull) << 2 | (bits >> 2 & 0x33ull);
  bits = (bits & 0x55ull) << 1 | (bits >> 1 & 0x55ull);
  return (unsigned char)bits;
}
