// expect: unsafe
// check: overflow
// why: the counter goes one too far

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i <= 2147483647) {
    i++;
  }
  return i;
}
