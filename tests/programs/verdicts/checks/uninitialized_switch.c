// expect: safe
// check: uninitialized
// why: all cases set the variable

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int kind = __VERIFIER_nondet_int();
  int size;
  switch (kind) {
  case 0: size = 1; break;
  case 1: size = 2; break;
  default: size = 0; break;
  }
  return size;
}
