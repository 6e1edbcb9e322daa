// expect: unsafe
// why: a format decides what is fetched behind `...`, and some of it is floating-point

#include <stdarg.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int gather(const char *format, va_list list) {
  int total = 0;
  for (; *format; format++) {
    switch (*format) {
    case 'd': total += va_arg(list, int); break;
    case 'f': va_arg(list, double); break;
    case 'l': total += (int)va_arg(list, long double); break;
    }
  }
  return total;
}

static int collect(const char *format, ...) {
  va_list list;
  va_start(list, format);
  int total = gather(format, list);
  va_end(list);
  return total;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 10) {
    return 0;
  }
  if (collect("dfd", x, 0.5, 2) == x + 2) {
    reach_error();
  }
  return 0;
}
