// expect: unsafe
// check: uninitialized
// why: one branch does not

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x;
  if (__VERIFIER_nondet_int()) {
    x = 1;
  } else {
  }
  return x;
}
