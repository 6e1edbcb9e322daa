// expect: unsafe
// check: leak
// run: violation
// why: a local pointer does not

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  char *p;
  p = malloc(4);
  return p == 0;
}
