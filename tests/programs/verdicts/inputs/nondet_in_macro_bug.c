// expect: unsafe
// why: the witness has the input, although it is among the arguments of a macro

extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define CHECK(condition) \
  if (!(condition)) reach_error()

int main(void) {
  CHECK(__VERIFIER_nondet_uchar() != 77);
  return 0;
}
