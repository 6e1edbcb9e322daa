// expect: safe
// strategies: auto, bounded
// data-model: ilp32
// why: a zero that is fetched as a null pointer ends the list

#include <stdarg.h>

extern void reach_error(void);

static int count(int first, ...) {
  va_list list;
  int found = 0;
  va_start(list, first);
  while (va_arg(list, char *)) {
    found++;
  }
  va_end(list);
  return found;
}

int main(void) {
  if (count(0, "a", "b", 0) != 2) {
    return 0;
  }
  if (count(0, "c", 0) != 1) {
    reach_error();
  }
  return 0;
}
