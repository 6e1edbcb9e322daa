typedef __SIZE_TYPE__ size_t;

char *strncpy(char *restrict target, const char *restrict source, size_t n) {
  size_t i = 0;
  while (i < n && source[i]) {
    target[i] = source[i];
    i++;
  }
  while (i < n) {
    target[i] = 0;
    i++;
  }
  return target;
}
