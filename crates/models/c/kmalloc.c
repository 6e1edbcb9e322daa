typedef __SIZE_TYPE__ size_t;

extern void *malloc(size_t);

void *kmalloc(size_t size, unsigned int flags) {
  (void)flags;
  return malloc(size);
}
