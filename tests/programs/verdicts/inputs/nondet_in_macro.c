// expect: safe
// why: the input is among the arguments of a macro

extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define CHECK(condition) \
  if (!(condition)) reach_error()

int main(void) {
  CHECK(__VERIFIER_nondet_uchar() < 256);
  return 0;
}
