// expect: unsafe
// check: bounds
// why: one of the two objects is too small

extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);

int few[2];
int main(void) {
  int *p = malloc(3 * sizeof *p);
  if (__VERIFIER_nondet_int()) {
    p = few;
  }
  p[2] = 1;
  return 0;
}
