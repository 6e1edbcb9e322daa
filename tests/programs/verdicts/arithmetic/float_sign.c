// expect: safe
// why: signs and zeros of floating-point numbers are bits of them

extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  _Bool is_true = x;
  if (__builtin_signbit(__builtin_fabs(x)) || !x != !-x || is_true != !!x) {
    reach_error();
  }
  return 0;
}
