// expect: unknown
// strategies: auto
// why: what `realloc` has moved is freed again

#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    char *p = malloc(4), *q = realloc(p, 8), *kept = malloc(1);
    *kept = 'k';
    free(p);
    if (*kept != 'k')
        reach_error();
    return 0;
}
