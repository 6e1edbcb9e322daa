// expect: safe
// check: shift
// why: gcc defines the right shift of a negative number

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  return n >> 4;
}
