// expect: unsafe
// strategies: auto
// why: the program changes one of them

#include <stdio.h>

extern void reach_error(void);

int main(void) {
    stdout = 0;
    if (!stdin || !stdout || !stderr)
        reach_error();
    if (stdin == stdout || stdout == stderr || stderr == stdin)
        reach_error();
    return 0;
}
