// expect: unsafe
// check: double-free
// run: violation
// why: both branches are taken

extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  char *p = malloc(4);
  int done = 0;
  if (p) {
    free(p);
    done = 1;
  }
  if (done) {
    free(p);
  }
  return 0;
}
