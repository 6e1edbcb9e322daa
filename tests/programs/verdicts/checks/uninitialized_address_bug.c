// expect: unsafe
// check: uninitialized
// why: the callee may not write

extern int __VERIFIER_nondet_int(void);

static void get(int *result) {
  if (__VERIFIER_nondet_int()) {
    *result = 1;
  }
}
int main(void) {
  int x;
  get(&x);
  return x;
}
