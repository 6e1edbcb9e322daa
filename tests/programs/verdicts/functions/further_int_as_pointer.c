// expect: unknown
// why: an int that is fetched as a pointer is undefined; a proof may not rest on it unnamed

#include <stdarg.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int is_set(int first, ...) {
  va_list list;
  va_start(list, first);
  const char *text = va_arg(list, const char *);
  va_end(list);
  return text != 0;
}

int main(void) {
  is_set(0, "a");
  if (__VERIFIER_nondet_int() == 123456789 && !is_set(0, 0)) {
    reach_error();
  }
  return 0;
}
