// expect: unsafe
// check: double-free
// run: violation
// why: the pointer is not reset

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  char *p = malloc(4);
  free(p);

  free(p);
  return 0;
}
