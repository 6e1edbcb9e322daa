typedef __SIZE_TYPE__ size_t;

char *strchr(const char *s, int c) {
  size_t i = 0;
  while ((s[i] & 255) != (c & 255)) {
    if (!s[i]) {
      return 0;
    }
    i++;
  }
  return (char *)s + i;
}
