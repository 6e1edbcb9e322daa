typedef __SIZE_TYPE__ size_t;

extern void *malloc(size_t);

void *__kmalloc(size_t size, unsigned int flags) {
  (void)flags;
  return malloc(size);
}
