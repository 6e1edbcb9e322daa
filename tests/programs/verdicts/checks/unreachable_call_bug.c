// expect: unsafe
// check: unreachable
// why: in a function, by its argument
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int sign(int x) {
  if (x > 0) return 1;
  if (x < 0) return -1;
  __builtin_unreachable();
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  return x >= 0 ? sign(x) : 0;
}
