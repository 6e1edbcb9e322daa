// expect: safe
// check: use-after-free
// run: fine
// why: the variable outlives the pointer

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int *p;
  int x = 1;
  {
    p = &x;
  }
  return *p;
}
