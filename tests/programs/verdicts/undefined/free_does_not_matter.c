// expect: safe
// strategies: auto
// why: no proof about a number depends on what is freed

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    char *p = malloc(4);
    int n = __VERIFIER_nondet_int();
    free(p);
    if (n > 5)
        free(p);
    if (n > 9 && n < 7)
        reach_error();
    return 0;
}
