// expect: unsafe
// data-model: ilp32
// why: arguments behind `...` of several types, fetched by a helper from a copied list; the bound is wrong

#include <stdarg.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void add(va_list list) {
  int *target = va_arg(list, int *);
  *target += va_arg(list, int);
}

static long apply(int unused, ...) {
  va_list list, again;
  va_start(list, unused);
  va_copy(again, list);
  add(list);
  add(again);
  va_end(again);
  va_end(list);
  return unused;
}

int main(void) {
  int x = 1;
  apply(0, &x, (int)__VERIFIER_nondet_uchar());
  if (x > 510) {
    reach_error();
  }
  return 0;
}
