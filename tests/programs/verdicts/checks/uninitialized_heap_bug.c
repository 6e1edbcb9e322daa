// expect: unsafe
// check: uninitialized
// why: new memory is read

extern void *malloc(unsigned long);

int main(void) {
  int *p = malloc(2 * sizeof *p);
  p[0] = 4;
  return p[0] + p[1] == 9;
}
