// expect: safe
// data-model: ilp32
// why: gcc prefers other alignments for objects than structures and `_Alignof` have

#include <stddef.h>

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

typedef unsigned long long number;

struct s {
    char c;
    double d;
};

int main(void) {
    double d = 0, a[3] = {0};
    struct s s = {0};
    check(__alignof__(double) == 8 && _Alignof(double) == 4);
    check(__alignof__(const number) == 8 && _Alignof(number) == 4);
    check(__alignof__(d) == 8 && __alignof__ d == 8 && __alignof(a) == 8 && __alignof__(a[1]) == 8);
    check(__alignof__(s) == 4 && __alignof__(s.d) == 4);
    check(__alignof__(double *) == 4 && __alignof__(long double) == 4 && __alignof__(int) == 4);
    check(__alignof__(char) == 1 && __alignof__(double[2]) == 8);
    char sized[__alignof__(long long)];
    check(sizeof sized == 8);
    return 0;
}
