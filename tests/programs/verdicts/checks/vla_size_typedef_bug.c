// expect: unsafe
// check: vla-size
// why: the length in a typedef
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 5;
  typedef int row[n * 2];
  row *p = 0;
  return p == 0;
}
