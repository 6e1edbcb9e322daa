typedef __SIZE_TYPE__ size_t;

static int lower(int c) {
  return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

int strcasecmp(const char *a, const char *b) {
  for (size_t i = 0;; i++) {
    int x = lower(a[i] & 255);
    int y = lower(b[i] & 255);
    if (x != y || !x) {
      return x - y;
    }
  }
}
