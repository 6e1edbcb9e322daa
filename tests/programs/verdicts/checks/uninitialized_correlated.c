// expect: safe
// check: uninitialized
// why: the variable is set whenever it is read

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int x;
  if (n > 0) {
    x = n;
  }
  if (n > 0) {
    return x;
  }
  return 0;
}
