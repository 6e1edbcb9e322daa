// expect: safe
// strategies: auto, bounded
// why: a number below 1000 has at most three digits, and no zero before them

#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    char text[8];
    int value = __VERIFIER_nondet_int();
    if (value < 0 || value > 999)
        return 0;
    int length = snprintf(text, sizeof text, "%d", value);
    if (length < 1 || length > 3 || strlen(text) != (size_t)length)
        reach_error();
    if (value > 99 && text[0] == '0')
        reach_error();
    return 0;
}
