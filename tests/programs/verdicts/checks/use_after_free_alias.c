// expect: safe
// check: use-after-free
// run: fine
// why: another pointer to other memory

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  int *p = malloc(sizeof *p);
  int *q = malloc(sizeof *q);
  *q = 1;
  free(p);
  *q = 2;
  free(q);
  return 0;
}
