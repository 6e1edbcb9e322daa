// expect: safe
// strategies: auto
// why: only what was allocated is freed

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 1, *p = &x;
    if (__VERIFIER_nondet_int())
        p = malloc(sizeof *p);
    if (p != &x)
        free(p);
    if (x != 1)
        reach_error();
    return 0;
}
