typedef __SIZE_TYPE__ size_t;

extern void *malloc(size_t);

char *strndup(const char *source, size_t n) {
  size_t length = 0;
  while (length < n && source[length]) {
    length++;
  }
  char *copy = malloc(length + 1);
  if (copy) {
    for (size_t i = 0; i < length; i++) {
      copy[i] = source[i];
    }
    copy[length] = 0;
  }
  return copy;
}
