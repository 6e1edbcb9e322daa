// expect: safe
// check: use-after-free
// run: fine
// why: the memory is used before it is freed

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  int x = *p;
  free(p);
  return x == 2;
}
