// expect: unsafe
// check: overflow
// why: and without

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int();
  int low = -2147483647;
  if (a >= 0 && a <= 2) {
    low -= a;
  }
  return low < 0;
}
