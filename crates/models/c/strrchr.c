typedef __SIZE_TYPE__ size_t;

char *strrchr(const char *s, int c) {
  char *found = 0;
  size_t i = 0;
  while (1) {
    if ((s[i] & 255) == (c & 255)) {
      found = (char *)s + i;
    }
    if (!s[i]) {
      return found;
    }
    i++;
  }
}
