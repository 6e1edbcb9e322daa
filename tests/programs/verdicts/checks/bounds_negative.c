// expect: safe
// check: bounds
// why: the lower bound is tested

extern int __VERIFIER_nondet_int(void);

char text[8];
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i >= 0 && i < 8) {
    return text[i];
  }
  return 0;
}
