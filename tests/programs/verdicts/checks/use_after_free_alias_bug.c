// expect: unsafe
// check: use-after-free
// run: violation
// why: another pointer to the same memory

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  int *p = malloc(sizeof *p);
  int *q = p;
  *q = 1;
  free(p);
  *q = 2;
  return 0;
}
