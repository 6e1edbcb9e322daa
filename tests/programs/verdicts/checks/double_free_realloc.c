// expect: safe
// check: double-free
// why: the result of realloc is freed

extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);

int main(void) {
  char *p = malloc(3);
  char *q = realloc(p, 6);
  free(q);
  return 0;
}
