// expect: safe
// check: bounds
// why: a pointer into an array

extern int __VERIFIER_nondet_int(void);

int a[8];
int main(void) {
  int n = __VERIFIER_nondet_int();
  int *p = a;
  if (n >= 0 && n < 8) {
    p = p + n;
    return *p;
  }
  return 0;
}
