// undefined: lives no more at 9:9
#include <stdlib.h>

int main(void) {
    int *old = malloc(sizeof *old);
    free(old);
    int *new = malloc(sizeof *new);
    /* Nobody knows whether the memory is used again. */
    if (old == new)
        return 1;
    return 0;
}
