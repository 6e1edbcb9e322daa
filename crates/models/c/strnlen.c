typedef __SIZE_TYPE__ size_t;

size_t strnlen(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n]) {
    n++;
  }
  return n;
}
