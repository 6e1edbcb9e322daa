// expect: safe
// strategies: auto, interpolation, bounded
// check: double-free
// why: each round frees its own

extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  do {
    char *p = malloc(1);
    free(p);
  } while (__VERIFIER_nondet_int());
  return 0;
}
