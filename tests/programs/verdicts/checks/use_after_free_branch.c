// expect: safe
// check: use-after-free
// why: what is freed is not used

extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p = malloc(sizeof *p);
  int gone = __VERIFIER_nondet_int() > 0;
  if (gone) {
    free(p);
  }
  if (!gone) {
    *p = 1;
  }
  return 0;
}
