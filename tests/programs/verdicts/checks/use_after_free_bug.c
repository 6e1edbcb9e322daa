// expect: unsafe
// check: use-after-free
// run: violation
// why: the memory is used after it was freed

extern void *malloc(unsigned long);
extern void free(void *);

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  free(p);
  int x = *p;
  return x == 2;
}
