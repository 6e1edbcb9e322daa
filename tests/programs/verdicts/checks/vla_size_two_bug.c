// expect: unsafe
// check: vla-size
// why: the second of two lengths
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 3 + 1;
  char a[n][3 - n];
  a[0][0] = 1;
  return a[0][0];
}
