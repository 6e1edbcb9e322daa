// expect: safe
// check: uninitialized
// why: new memory is written first

extern void *malloc(unsigned long);

int main(void) {
  int *p = malloc(2 * sizeof *p);
  p[0] = 4;
  p[1] = 5;
  return p[0] + p[1] == 9;
}
