// expect: safe
// check: double-free
// run: fine
// why: freed once

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  char *p = malloc(4);
  free(p);
  return 0;
}
