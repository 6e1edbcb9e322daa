// expect: safe
// check: leak
// run: fine
// why: a global pointer keeps the memory

extern void *malloc(unsigned long);
extern void free(void *);

char *p;
int main(void) {
  p = malloc(4);
  return p == 0;
}
