// expect: unsafe
// check: double-free
// why: realloc has freed the memory already

extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);

int main(void) {
  char *p = malloc(3);
  char *q = realloc(p, 6);
  free(p);
  return 0;
}
