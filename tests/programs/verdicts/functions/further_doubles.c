// expect: safe
// why: floating-point arguments behind `...` have positions, and integers around them are found

#include <stdarg.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int collect(int with_fraction, ...) {
  va_list list;
  va_start(list, with_fraction);
  int total = va_arg(list, int);
  if (with_fraction) {
    va_arg(list, double);
  }
  total += va_arg(list, int);
  va_end(list);
  return total;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 10) {
    return 0;
  }
  if (collect(1, x, 0.5, 2) != x + 2) {
    reach_error();
  }
  return 0;
}
