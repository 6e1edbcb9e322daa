// expect: unsafe
// check: bit-scan
// why: the variants for long numbers
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned long x = __VERIFIER_nondet_uint();
  unsigned long long y = x << 1;
  return __builtin_clzl(x | 1) + __builtin_ctzll(y) + __builtin_clzll(y | 4) + __builtin_ctzl(x | 8);
}
