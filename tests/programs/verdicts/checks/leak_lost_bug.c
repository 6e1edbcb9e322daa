// expect: unsafe
// check: leak
// run: violation
// why: the only pointer is overwritten

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  char *p = malloc(4);
  p = 0;
  return p == 0;
}
