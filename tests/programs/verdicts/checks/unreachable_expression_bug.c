// expect: unsafe
// check: unreachable
// why: in a conditional expression
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  return (x | 1) != 1 ? 1 : (__builtin_unreachable(), 2);
}
