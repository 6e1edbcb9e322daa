unsigned short __builtin_bitreverse16(unsigned short value) {
  unsigned long long bits = value;
  bits = (bits & 0xffull) << 8 | (bits >> 8 & 0xffull);
  bits = (bits & 0xf0full) << 4 | (bits >> 4 & 0xf0full);
  bits = (bits & 0x3333ull) << 2 | (bits >> 2 & 0x3333ull);
  bits = (bits & 0x5555ull) << 1 | (bits >> 1 & 0x5555ull);
  return (unsigned short)bits;
}
