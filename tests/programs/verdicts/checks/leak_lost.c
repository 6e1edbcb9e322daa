// expect: safe
// check: leak
// run: fine
// why: the memory is freed

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  char *p = malloc(4);
  free(p);
  return p == 0;
}
