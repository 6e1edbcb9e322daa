char *strchrnul(const char *s, int c) {
  while (*s && (*s & 255) != (c & 255)) {
    s++;
  }
  return (char *)s;
}
