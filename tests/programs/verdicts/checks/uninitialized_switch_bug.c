// expect: unsafe
// check: uninitialized
// why: the default is missing

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int kind = __VERIFIER_nondet_int();
  int size;
  switch (kind) {
  case 0: size = 1; break;
  case 1: size = 2; break;
  }
  return size;
}
