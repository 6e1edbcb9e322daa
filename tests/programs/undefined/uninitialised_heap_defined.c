// expect: finished 0
#include <stdlib.h>

int main(void) {
    int *p = calloc(2, sizeof *p);
    int r = p[1];
    free(p);
    return r;
}
