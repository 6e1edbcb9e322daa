// expect: unsafe
// check: shift
// why: the count may be negative

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n >= -1 && n < 8) {
    return 256 >> n;
  }
  return 0;
}
