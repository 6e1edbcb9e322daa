// expect: unsafe
// check: leak
// why: one branch returns early

extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p = malloc(sizeof *p);
  if (__VERIFIER_nondet_int()) {
    return 1;
  }
  free(p);
  return 0;
}
