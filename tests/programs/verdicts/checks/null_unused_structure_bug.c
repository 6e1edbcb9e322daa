// expect: unsafe
// check: null
// why: reading a whole structure that nobody uses

extern int __VERIFIER_nondet_int(void);
struct pair { int a, b; } value;
int main(void) {
  struct pair *p = __VERIFIER_nondet_int() ? &value : 0;
  if (p == 0) {
    *p;
    (void)*p;
  }
  return 0;
}
