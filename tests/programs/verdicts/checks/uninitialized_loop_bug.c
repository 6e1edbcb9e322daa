// expect: unsafe
// check: uninitialized
// why: the loop may not run

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int last;
  if (n < 0 || n > 3) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    last = i;
  }
  return last;
}
