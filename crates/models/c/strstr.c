typedef __SIZE_TYPE__ size_t;

char *strstr(const char *s, const char *part) {
  size_t i = 0;
  while (1) {
    size_t k = 0;
    while (part[k] && s[i + k] == part[k]) {
      k++;
    }
    if (!part[k]) {
      return (char *)s + i;
    }
    if (!s[i + k]) {
      return 0;
    }
    i++;
  }
}
