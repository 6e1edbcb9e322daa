// expect: safe
// strategies: auto, bounded
// why: four characters are a number of at most four digits, which is in range

#include <errno.h>
#include <stdlib.h>

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

int main(void) {
    char text[5];
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    text[4] = 0;
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end < text || end > text + 4 || value < -999 || value > 9999)
        reach_error();
    if (end == text && value != 0)
        reach_error();
    if (errno == ERANGE)
        reach_error();
    return 0;
}
