typedef __SIZE_TYPE__ size_t;

size_t strspn(const char *s, const char *set) {
  size_t i = 0;
  while (s[i]) {
    size_t k = 0;
    while (set[k] && set[k] != s[i]) {
      k++;
    }
    if (!set[k]) {
      return i;
    }
    i++;
  }
  return i;
}
