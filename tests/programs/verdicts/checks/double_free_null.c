// expect: safe
// check: double-free
// run: fine
// why: a null pointer may be freed

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  char *p = malloc(4);
  free(p);
  p = 0;
  free(p);
  return 0;
}
