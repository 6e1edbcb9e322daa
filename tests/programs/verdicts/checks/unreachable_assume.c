// expect: safe
// check: unreachable
// why: as the usual macro for assumptions
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define ASSUME(x) do { if (!(x)) __builtin_unreachable(); } while (0)
int main(void) {
  unsigned x = __VERIFIER_nondet_uint() % 10;
  ASSUME(x <= 9);
  return 0;
}
