// expect: safe
// check: uninitialized
// why: the element is written

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int a[4];
  unsigned i = __VERIFIER_nondet_uint() % 4;
  a[i] = 1;
  return a[i];
}
