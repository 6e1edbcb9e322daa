// undefined: is fetched as at 7:16
#include <stdarg.h>

static double first(int n, ...) {
    va_list list;
    va_start(list, n);
    double d = va_arg(list, double);
    va_end(list);
    return d;
}

int main(void) { return first(1, 0LL) != 0; }
