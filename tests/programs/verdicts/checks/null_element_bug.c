// expect: unsafe
// check: null
// why: an element of no array

extern int __VERIFIER_nondet_int(void);

int a[4];
int main(void) {
  int *p = __VERIFIER_nondet_int() ? a : (int *)0;
  return p[2];
}
