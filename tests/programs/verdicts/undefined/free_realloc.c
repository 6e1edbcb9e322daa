// expect: safe
// strategies: auto
// why: what is freed after `realloc` is what it returned

#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    char *p = malloc(4), *q = realloc(p, 8), *kept = malloc(1);
    *kept = 'k';
    free(q);
    if (*kept != 'k')
        reach_error();
    return 0;
}
