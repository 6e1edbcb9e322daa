// expect: unsafe
// check: use-after-free
// run: violation
// why: the block of the variable was left

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p;

  {
    int x = 1;
    p = &x;
  }
  return *p;
}
