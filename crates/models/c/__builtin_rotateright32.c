unsigned int __builtin_rotateright32(unsigned int value, unsigned int count) {
  unsigned int part = count % 32;
  if (!part) {
    return value;
  }
  return (unsigned int)(((unsigned long long)value >> part | (unsigned long long)value << (32 - part)) & 0xffffffffull);
}
