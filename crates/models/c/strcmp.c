typedef __SIZE_TYPE__ size_t;

int strcmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && a[i] == b[i]) {
    i++;
  }
  return (a[i] & 255) - (b[i] & 255);
}
