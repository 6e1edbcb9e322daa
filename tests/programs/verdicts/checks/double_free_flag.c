// expect: safe
// strategies: auto, interpolation; bounded = unknown
// check: double-free
// why: the flag is reset

extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  char *p = 0;
  int open = 0;
  while (__VERIFIER_nondet_int()) {
    if (!open) {
      p = malloc(2);
      open = 1;
    } else {
      free(p);
      open = 0;
    }
  }
  return 0;
}
