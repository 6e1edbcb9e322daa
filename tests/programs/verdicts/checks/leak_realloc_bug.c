// expect: unsafe
// check: leak
// why: the new memory is forgotten

extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void free(void *);

int main(void) {
  char *p = malloc(1);
  char *q = realloc(p, 8);
  return q == 0;
}
