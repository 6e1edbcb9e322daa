// expect: unsafe
// strategies: auto, bounded
// why: a function that formats is executed up to bounds; the longest number has eleven characters

#include <stdarg.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static char out[32];
static int length;

static void put(char c) {
  out[length++] = c;
}

static void put_number(unsigned number) {
  char digits[10];
  int count = 0;
  do {
    digits[count++] = '0' + number % 10;
    number /= 10;
  } while (number != 0);
  while (count > 0) {
    put(digits[--count]);
  }
}

static int format(const char *text, ...) {
  va_list list;
  va_start(list, text);
  for (; *text; text++) {
    if (*text != '%') {
      put(*text);
    } else if (*++text == 's') {
      for (const char *s = va_arg(list, const char *); *s; s++) {
        put(*s);
      }
    } else {
      int number = va_arg(list, int);
      if (number < 0) {
        put('-');
      }
      put_number(number < 0 ? -(unsigned)number : (unsigned)number);
    }
  }
  va_end(list);
  return length;
}

int main(void) {
  int count = format("%s%d", "x=", __VERIFIER_nondet_int());
  if (count > 12 || out[1] != '=') {
    reach_error();
  }
  return 0;
}
