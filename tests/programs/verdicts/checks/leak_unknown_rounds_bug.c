// expect: unsafe
// check: leak
// why: a round may keep

extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  while (__VERIFIER_nondet_int()) {
    char *p = malloc(4);
    if (__VERIFIER_nondet_int()) {
      free(p);
    }
  }
  return 0;
}
