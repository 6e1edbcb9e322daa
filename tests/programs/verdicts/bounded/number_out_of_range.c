// expect: safe
// strategies: auto, bounded
// why: the greatest number ends with 7

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    char text[] = "922337203685477580?";
    unsigned char last = __VERIFIER_nondet_uchar();
    if (last > 9)
        return 0;
    text[18] = (char)('0' + last);
    errno = 0;
    long value = strtol(text, 0, 10);
    if ((errno == ERANGE) != (last > 7) || (last > 7 && value != LONG_MAX))
        reach_error();
    errno = 0;
    unsigned long natural = strtoul(text, 0, 10);
    if (errno || natural % 10 != last)
        reach_error();
    return 0;
}
