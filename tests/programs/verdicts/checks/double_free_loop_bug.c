// expect: unsafe
// check: double-free
// why: the rounds share one

extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  char *p = malloc(1);
  do {
    free(p);
  } while (__VERIFIER_nondet_int());
  return 0;
}
