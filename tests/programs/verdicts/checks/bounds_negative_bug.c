// expect: unsafe
// check: bounds
// why: the lower bound is not tested

extern int __VERIFIER_nondet_int(void);

char text[8];
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 8) {
    return text[i];
  }
  return 0;
}
