// expect: unsafe
// check: use-after-free
// why: what may be freed is used

extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p = malloc(sizeof *p);
  int gone = __VERIFIER_nondet_int() > 0;
  if (gone) {
    free(p);
  }
  if (gone < 2) {
    *p = 1;
  }
  return 0;
}
