// expect: unsafe
// check: div-zero
// why: a compound division by a difference that may be zero

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int();
  int x = 100;
  if (a < 0 || a > 10) {
    return 0;
  }
  x /= 10 - a;
  return x;
}
