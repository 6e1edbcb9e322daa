// expect: unsafe
// check: vla-size
// why: a length that is an input
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 10)
    return 0;
  int a[n];
  a[0] = n;
  return a[0];
}
