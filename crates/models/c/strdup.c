typedef __SIZE_TYPE__ size_t;

extern void *malloc(size_t);

char *strdup(const char *source) {
  size_t size = 1;
  while (source[size - 1]) {
    size++;
  }
  char *copy = malloc(size);
  if (copy) {
    for (size_t i = 0; i < size; i++) {
      copy[i] = source[i];
    }
  }
  return copy;
}
