// expect: safe
// check: bit-scan
// why: a value that nobody uses is evaluated
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  if (x > 3)
    __builtin_clz(x);
  return 0;
}
