long long strtoll(const char *restrict text, char **restrict end, int base);

__INTMAX_TYPE__ strtoimax(const char *restrict text, char **restrict end, int base) {
  return strtoll(text, end, base);
}
