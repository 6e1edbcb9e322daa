// expect: unsafe
// check: use-after-free,double-free
// why: memory of the kernel is read after it was given back

extern void *__kmalloc(unsigned long, unsigned int);
extern void kfree(const void *);

int main(void) {
  int *data = __kmalloc(sizeof *data, 0);
  if (!data) {
    return 0;
  }
  *data = 4;
  kfree(data);
  int last = *data;
  return last;
}
