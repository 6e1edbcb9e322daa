// expect: safe
// check: bit-scan
// why: clz of an input that may be zero
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x != 0)
    return __builtin_clz(x);
  return 0;
}
