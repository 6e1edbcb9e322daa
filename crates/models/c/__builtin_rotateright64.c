unsigned long long __builtin_rotateright64(unsigned long long value, unsigned long long count) {
  unsigned long long part = count % 64;
  if (!part) {
    return value;
  }
  return (unsigned long long)(((unsigned long long)value >> part | (unsigned long long)value << (64 - part)) & 0xffffffffffffffffull);
}
