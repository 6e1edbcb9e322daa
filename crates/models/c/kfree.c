extern void free(void *);

void kfree(const void *pointer) {
  free((void *)pointer);
}
