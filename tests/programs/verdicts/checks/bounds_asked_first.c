// expect: safe
// check: bounds,uninitialized
// why: the index is in the array

extern unsigned __VERIFIER_nondet_uint(void);

struct holder {
  int *p;
};
int main(void) {
  int x = 1, a[2] = {1, 2};
  struct holder h;
  h.p = &x;
  unsigned i = __VERIFIER_nondet_uint();
  if (i < 2) {
    a[i] = *h.p;
  }
  return 0;
}
