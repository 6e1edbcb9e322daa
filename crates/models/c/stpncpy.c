typedef __SIZE_TYPE__ size_t;

char *stpncpy(char *restrict target, const char *restrict source, size_t n) {
  size_t i = 0;
  while (i < n && source[i]) {
    target[i] = source[i];
    i++;
  }
  char *end = target + i;
  while (i < n) {
    target[i] = 0;
    i++;
  }
  return end;
}
