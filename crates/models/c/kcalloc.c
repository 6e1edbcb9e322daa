typedef __SIZE_TYPE__ size_t;

extern void *calloc(size_t, size_t);

void *kcalloc(size_t count, size_t size, unsigned int flags) {
  (void)flags;
  return calloc(count, size);
}
