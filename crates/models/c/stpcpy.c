typedef __SIZE_TYPE__ size_t;

char *stpcpy(char *restrict target, const char *restrict source) {
  size_t i = 0;
  while (source[i]) {
    target[i] = source[i];
    i++;
  }
  target[i] = 0;
  return target + i;
}
