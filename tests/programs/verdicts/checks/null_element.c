// expect: safe
// check: null
// why: an element of an array

extern int __VERIFIER_nondet_int(void);

int a[4];
int main(void) {
  int *p = __VERIFIER_nondet_int() ? a : a + 1;
  return p[2];
}
