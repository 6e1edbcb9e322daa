// expect: safe
// check: leak
// why: both branches free

extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p = malloc(sizeof *p);
  if (__VERIFIER_nondet_int()) {
    free(p);
    return 1;
  }
  free(p);
  return 0;
}
