typedef __SIZE_TYPE__ size_t;

char *strcat(char *restrict target, const char *restrict source) {
  size_t end = 0;
  while (target[end]) {
    end++;
  }
  size_t i = 0;
  while (source[i]) {
    target[end + i] = source[i];
    i++;
  }
  target[end + i] = 0;
  return target;
}
