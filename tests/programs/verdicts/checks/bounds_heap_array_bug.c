// expect: unsafe
// check: bounds
// why: the index may be the number of elements

extern void *malloc(unsigned long);
extern void free(void *);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int *cells = malloc(10 * sizeof *cells);
  unsigned i = __VERIFIER_nondet_uint();
  if (i <= 10) {
    cells[i] = 1;
  }
  free(cells);
  return 0;
}
