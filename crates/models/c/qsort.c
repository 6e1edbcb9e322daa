typedef __SIZE_TYPE__ size_t;

static void exchange(char *first, char *second, size_t size) {
  for (size_t i = 0; i < size; i++) {
    char kept = first[i];
    first[i] = second[i];
    second[i] = kept;
  }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *first = base;
  for (size_t sorted = 1; sorted < count; sorted++) {
    char *element = first + sorted * size;
    for (size_t before = sorted; before > 0 && compare(element - size, element) > 0; before--) {
      exchange(element - size, element, size);
      element -= size;
    }
  }
}
