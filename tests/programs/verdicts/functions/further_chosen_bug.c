// expect: unsafe
// why: arguments behind `...` of a function that is called through a pointer; the bound is wrong

#include <stdarg.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static long first(int unused, ...) {
  va_list list;
  va_start(list, unused);
  long value = va_arg(list, long);
  va_end(list);
  return value;
}

static long second(int unused, ...) {
  va_list list;
  va_start(list, unused);
  (void)va_arg(list, long);
  long value = va_arg(list, long);
  va_end(list);
  return value;
}

int main(void) {
  long (*choice)(int, ...) = __VERIFIER_nondet_int() ? first : second;
  if (choice(0, 5L, 6L) > 5) {
    reach_error();
  }
  return 0;
}
