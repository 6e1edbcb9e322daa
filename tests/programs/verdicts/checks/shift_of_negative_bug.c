// expect: unsafe
// check: shift
// why: a negative number is shifted to the left

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n >= -4 && n < 16) {
    return n << 2;
  }
  return 0;
}
