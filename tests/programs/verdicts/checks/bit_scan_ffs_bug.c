// expect: unsafe
// check: bit-scan
// why: ffs and popcount of zero are defined, ctz is not
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int sum = __builtin_ffs(x) + __builtin_popcount(x) + __builtin_parity(x) + __builtin_clrsb(x);
  if (sum == 1000)
    return 0;
  return x & 8 ? __builtin_ctz(x & 4) : -1;
}
