unsigned short __builtin_rotateright16(unsigned short value, unsigned short count) {
  unsigned short part = count % 16;
  if (!part) {
    return value;
  }
  return (unsigned short)(((unsigned long long)value >> part | (unsigned long long)value << (16 - part)) & 0xffffull);
}
