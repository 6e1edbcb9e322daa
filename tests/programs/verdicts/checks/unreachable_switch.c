// expect: safe
// check: unreachable
// why: a switch that covers all values, or not
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  switch (__VERIFIER_nondet_uint() % 3) {
  case 0: return 1;
  case 1: return 2;
  case 2: return 3;
  default: __builtin_unreachable();
  }
}
