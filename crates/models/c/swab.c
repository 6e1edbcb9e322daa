typedef __PTRDIFF_TYPE__ ssize_t;

void swab(const void *restrict source, void *restrict target, ssize_t n) {
  for (ssize_t i = 0; i + 1 < n; i += 2) {
    char first = ((const char *)source)[i];
    ((char *)target)[i] = ((const char *)source)[i + 1];
    ((char *)target)[i + 1] = first;
  }
}
