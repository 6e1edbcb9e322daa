// undefined: never set at 6:13
#include <stdlib.h>

int main(void) {
    int *p = malloc(2 * sizeof *p);
    int r = p[1];
    free(p);
    return r;
}
