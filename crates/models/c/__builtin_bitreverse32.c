unsigned int __builtin_bitreverse32(unsigned int value) {
  unsigned long long bits = value;
  bits = (bits & 0xffffull) << 16 | (bits >> 16 & 0xffffull);
  bits = (bits & 0xff00ffull) << 8 | (bits >> 8 & 0xff00ffull);
  bits = (bits & 0xf0f0f0full) << 4 | (bits >> 4 & 0xf0f0f0full);
  bits = (bits & 0x33333333ull) << 2 | (bits >> 2 & 0x33333333ull);
  bits = (bits & 0x55555555ull) << 1 | (bits >> 1 & 0x55555555ull);
  return (unsigned int)bits;
}
