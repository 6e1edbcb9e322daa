typedef __SIZE_TYPE__ size_t;

static int lower(int c) {
  return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

int strncasecmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int x = lower(a[i] & 255);
    int y = lower(b[i] & 255);
    if (x != y || !x) {
      return x - y;
    }
  }
  return 0;
}
