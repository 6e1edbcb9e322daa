unsigned long long __builtin_bitreverse64(unsigned long long value) {
  unsigned long long bits = value;
  bits = (bits & 0xffffffffull) << 32 | (bits >> 32 & 0xffffffffull);
  bits = (bits & 0xffff0000ffffull) << 16 | (bits >> 16 & 0xffff0000ffffull);
  bits = (bits & 0xff00ff00ff00ffull) << 8 | (bits >> 8 & 0xff00ff00ff00ffull);
  bits = (bits & 0xf0f0f0f0f0f0f0full) << 4 | (bits >> 4 & 0xf0f0f0f0f0f0f0full);
  bits = (bits & 0x3333333333333333ull) << 2 | (bits >> 2 & 0x3333333333333333ull);
  bits = (bits & 0x5555555555555555ull) << 1 | (bits >> 1 & 0x5555555555555555ull);
  return (unsigned long long)bits;
}
