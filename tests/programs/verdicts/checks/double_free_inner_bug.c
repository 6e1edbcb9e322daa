// expect: unsafe
// check: double-free
// run: violation
// why: a pointer into the memory is freed

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  char *p = malloc(4);
  free(p + 1);
  return 0;
}
