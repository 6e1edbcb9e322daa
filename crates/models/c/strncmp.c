typedef __SIZE_TYPE__ size_t;

int strncmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i] || !a[i]) {
      return (a[i] & 255) - (b[i] & 255);
    }
  }
  return 0;
}
