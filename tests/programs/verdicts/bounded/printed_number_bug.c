// expect: unsafe
// strategies: auto, bounded
// why: and may have three

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
    if (length < 1 || length > 2 || strlen(text) != (size_t)length)
        reach_error();
    if (value > 99 && text[0] == '0')
        reach_error();
    return 0;
}
