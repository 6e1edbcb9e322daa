// expect: safe
// check: uninitialized
// why: both branches set the variable

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x;
  if (__VERIFIER_nondet_int()) {
    x = 1;
  } else {
    x = 2;
  }
  return x;
}
