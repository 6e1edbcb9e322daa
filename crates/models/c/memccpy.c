typedef __SIZE_TYPE__ size_t;

void *memccpy(void *restrict target, const void *restrict source, int c, size_t n) {
  unsigned char wanted = (unsigned char)(c & 255);
  for (size_t i = 0; i < n; i++) {
    unsigned char byte = ((const unsigned char *)source)[i];
    ((unsigned char *)target)[i] = byte;
    if (byte == wanted) {
      return (unsigned char *)target + i + 1;
    }
  }
  return 0;
}
