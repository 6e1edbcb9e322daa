typedef __SIZE_TYPE__ size_t;

void *memrchr(const void *s, int c, size_t n) {
  unsigned char wanted = (unsigned char)(c & 255);
  for (size_t i = n; i > 0; i--) {
    if (((const unsigned char *)s)[i - 1] == wanted) {
      return (unsigned char *)s + (i - 1);
    }
  }
  return 0;
}
