// expect: safe
// check: uninitialized
// why: the loop runs at least once

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int last;
  if (n < 1 || n > 3) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    last = i;
  }
  return last;
}
