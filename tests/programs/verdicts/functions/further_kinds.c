// expect: unknown
// why: an `int` is fetched where a `double` was passed

#include <stdarg.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int first(int count, ...) {
  va_list list;
  va_start(list, count);
  int value = va_arg(list, int);
  va_end(list);
  return value;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 123456789 && first(1, 0.5) != 0) {
    reach_error();
  }
  return 0;
}
