unsigned long long strtoull(const char *restrict text, char **restrict end, int base);

__UINTMAX_TYPE__ strtoumax(const char *restrict text, char **restrict end, int base) {
  return strtoull(text, end, base);
}
