// expect: safe
// check: vla-size
// why: a difference that may be negative
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || high > 100 || low >= high)
    return 0;
  char text[high - low];
  return sizeof text != 0;
}
