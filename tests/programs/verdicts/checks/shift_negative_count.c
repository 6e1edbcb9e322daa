// expect: safe
// check: shift
// why: the count is not negative

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n >= 0 && n < 8) {
    return 256 >> n;
  }
  return 0;
}
