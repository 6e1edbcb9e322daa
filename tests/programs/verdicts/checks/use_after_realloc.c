// expect: safe
// check: use-after-free
// why: the new pointer is used

extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);

int main(void) {
  int *old = malloc(sizeof *old);
  int *new = realloc(old, 2 * sizeof *new);
  new[0] = 1;
  return 0;
}
