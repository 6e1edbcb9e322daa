// expect: unsafe
// check: shift
// why: but not that by 40

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  return n >> 40;
}
