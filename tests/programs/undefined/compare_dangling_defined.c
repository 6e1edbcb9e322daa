// expect: finished 0
#include <stdlib.h>

int main(void) {
    int *old = malloc(sizeof *old), *same = old;
    int *new = malloc(sizeof *new);
    if (old == new)
        return 1;
    free(old);
    /* With null, and with itself, it can be compared for ever. */
    if (!old || old != same)
        return 2;
    return 0;
}
