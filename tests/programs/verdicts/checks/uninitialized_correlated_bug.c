// expect: unsafe
// check: uninitialized
// why: the conditions differ

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int x;
  if (n > 0) {
    x = n;
  }
  if (n > -1) {
    return x;
  }
  return 0;
}
