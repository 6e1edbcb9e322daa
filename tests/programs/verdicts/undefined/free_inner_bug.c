// expect: unknown
// strategies: auto
// why: a pointer into an object is freed, and nothing is known of allocated memory behind it

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void keep(void *pointer) {
    (void)pointer;
}

int main(void) {
    void (*release)(void *) = __VERIFIER_nondet_int() ? free : keep;
    int *p = malloc(2 * sizeof *p), *q = malloc(sizeof *q);
    *q = 7;
    release(p + 1);
    if (*q != 7)
        reach_error();
    return 0;
}
