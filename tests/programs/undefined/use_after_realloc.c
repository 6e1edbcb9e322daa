// undefined: after it was freed at 8:5
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    int *q = realloc(p, 1000 * sizeof *p);
    q[999] = 1;
    *p = 0;
    free(q);
    return 0;
}
