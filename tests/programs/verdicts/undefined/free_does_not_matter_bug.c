// expect: unsafe
// strategies: auto
// why: the violation comes before anything is freed twice

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    char *p = malloc(4);
    int n = __VERIFIER_nondet_int();
    free(p);
    if (n > 5)
        free(p);
    if (n > 3 && n < 5)
        reach_error();
    return 0;
}
