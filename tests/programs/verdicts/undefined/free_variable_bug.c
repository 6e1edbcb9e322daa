// expect: unknown
// strategies: auto
// why: a variable is given to free, and its memory may be given out again

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 1, *p = &x;
    if (__VERIFIER_nondet_int())
        p = malloc(sizeof *p);
    if (p)
        free(p);
    if (x != 1)
        reach_error();
    return 0;
}
