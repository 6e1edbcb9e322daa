// expect: safe
// strategies: auto, interpolation, bounded
// check: use-after-free
// why: each round has memory of its own

extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  while (__VERIFIER_nondet_int()) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
  }
  return 0;
}
