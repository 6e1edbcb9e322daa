// expect: safe
// why: POSIX says what `optind` and `opterr` are when a program starts

#include <unistd.h>

extern void reach_error(void);

int main(void) {
    if (optind != 1 || opterr == 0)
        reach_error();
    return 0;
}
