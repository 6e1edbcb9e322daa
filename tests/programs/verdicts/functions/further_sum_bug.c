// expect: unsafe
// why: arguments behind `...` are fetched in a loop; the bound is wrong

#include <stdarg.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int sum(int count, ...) {
  va_list list;
  int total = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) {
    total += va_arg(list, int);
  }
  va_end(list);
  return total;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 10) {
    return 0;
  }
  int once = sum(2, x, 1);
  if (once + sum(3, x, 2, -1) > 21) {
    reach_error();
  }
  return 0;
}
