// expect: safe
// check: uninitialized
// why: the callee writes

extern int __VERIFIER_nondet_int(void);

static void get(int *result) {
  *result = 0;
  if (__VERIFIER_nondet_int()) {
    *result = 1;
  }
}
int main(void) {
  int x;
  get(&x);
  return x;
}
