// expect: safe
// check: vla-size
// why: the length in the type of a parameter
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int first(int n, int a[][n]) { return a[0][0]; }
int main(void) {
  int a[2][3] = {{1}};
  int n = __VERIFIER_nondet_uint() % 3;
  return first(n + 1, a);
}
