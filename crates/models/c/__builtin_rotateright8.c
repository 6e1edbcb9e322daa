unsigned char __builtin_rotateright8(unsigned char value, unsigned char count) {
  unsigned char part = count % 8;
  if (!part) {
    return value;
  }
  return (unsigned char)(((unsigned long long)value >> part | (unsigned long long)value << (8 - part)) & 0xffull);
}
