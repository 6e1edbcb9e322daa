// expect: safe
// check: use-after-free
// why: the array is used in its block

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 10) {
    return 0;
  }
  int *p = &n;
  {
    int own[n];
    own[0] = 1;
    p = own;
    *p = 2;
  }
  return 0;
}
