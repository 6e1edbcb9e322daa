// expect: safe
// check: unsigned-overflow
// why: signed overflow is another check

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  n = n * 3;
  return n == 0;
}
