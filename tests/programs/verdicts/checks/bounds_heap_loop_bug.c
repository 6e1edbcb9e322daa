// expect: unsafe
// check: bounds
// why: the loop goes one too far

extern void *malloc(unsigned long);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar();
  int *cells = malloc(n * sizeof *cells);
  for (unsigned i = 0; i <= n; i++) {
    cells[i] = 7;
  }
  return 0;
}
