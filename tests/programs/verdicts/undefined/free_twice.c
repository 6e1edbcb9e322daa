// expect: safe
// strategies: auto
// why: what is freed was allocated, and is freed once

#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    int *p = malloc(sizeof *p);
    free(p);
    int *q = malloc(sizeof *q), *r = malloc(sizeof *r);
    *q = 1;
    *r = 2;
    if (*q != 1)
        reach_error();
    return 0;
}
