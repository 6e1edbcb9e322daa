// expect: unsafe
// check: overflow
// why: the least number has no opposite

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a >= -2147483647 - 1) {
    return -a;
  }
  return 0;
}
