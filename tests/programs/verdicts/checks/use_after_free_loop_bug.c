// expect: unsafe
// check: use-after-free
// why: the second round has none

extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p = malloc(sizeof *p);
  while (__VERIFIER_nondet_int()) {
    *p = 1;
    free(p);
  }
  return 0;
}
