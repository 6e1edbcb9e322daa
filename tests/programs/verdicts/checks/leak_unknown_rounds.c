// expect: safe
// strategies: auto, interpolation, bounded
// check: leak
// why: every round frees

extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  while (__VERIFIER_nondet_int()) {
    char *p = malloc(4);
    free(p);
  }
  return 0;
}
