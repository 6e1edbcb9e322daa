// expect: safe
// check: null
// why: a pointer that is tested

extern int __VERIFIER_nondet_int(void);

int x;
int main(void) {
  int *p = 0;
  if (__VERIFIER_nondet_int()) {
    p = &x;
  }
  if (p) {
    *p = 1;
  }
  return x;
}
