// expect: safe
// strategies: auto
// why: the standard streams are there, and are three

#include <stdio.h>

extern void reach_error(void);

int main(void) {
    if (!stdin || !stdout || !stderr)
        reach_error();
    if (stdin == stdout || stdout == stderr || stderr == stdin)
        reach_error();
    return 0;
}
