// expect: unsafe
// check: null
// why: a pointer that is not

extern int __VERIFIER_nondet_int(void);

int x;
int main(void) {
  int *p = 0;
  if (__VERIFIER_nondet_int()) {
    p = &x;
  }
  if (1) {
    *p = 1;
  }
  return x;
}
