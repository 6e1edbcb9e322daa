// expect: unsafe
// check: bounds,uninitialized
// why: an index is wrong where a null pointer would be read next

extern unsigned __VERIFIER_nondet_uint(void);

struct holder {
  int *p;
};
int main(void) {
  int x = 1, a[2] = {1, 2};
  struct holder h;
  h.p = x ? 0 : &x;
  unsigned i = __VERIFIER_nondet_uint();
  if (i < 3) {
    a[i] = *h.p;
  }
  return 0;
}
