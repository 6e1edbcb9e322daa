typedef __SIZE_TYPE__ size_t;

void *memmem(const void *text, size_t size, const void *part, size_t length) {
  for (size_t at = 0; length <= size && at <= size - length; at++) {
    size_t same = 0;
    while (same < length && ((const char *)text)[at + same] == ((const char *)part)[same]) {
      same++;
    }
    if (same == length) {
      return (char *)text + at;
    }
  }
  return 0;
}
