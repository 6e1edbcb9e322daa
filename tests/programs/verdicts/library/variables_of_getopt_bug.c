// expect: unsafe
// why: the program changes the variable itself

#include <unistd.h>

extern void reach_error(void);

int main(void) {
    optind = 2;
    if (optind != 1 || opterr == 0)
        reach_error();
    return 0;
}
