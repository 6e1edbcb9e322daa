typedef __SIZE_TYPE__ size_t;

void *memchr(const void *memory, int c, size_t n) {
  const unsigned char *bytes = memory;
  for (size_t i = 0; i < n; i++) {
    if (bytes[i] == (c & 255)) {
      return (void *)(bytes + i);
    }
  }
  return 0;
}
