typedef __SIZE_TYPE__ size_t;

char *strpbrk(const char *s, const char *set) {
  size_t i = 0;
  while (s[i]) {
    for (size_t k = 0; set[k]; k++) {
      if (set[k] == s[i]) {
        return (char *)s + i;
      }
    }
    i++;
  }
  return 0;
}
