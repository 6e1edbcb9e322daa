// expect: safe
// check: bit-scan
// why: the argument comes from a caller
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int log2_of(unsigned x) { return 31 - __builtin_clz(x); }
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  return log2_of(x | 1);
}
