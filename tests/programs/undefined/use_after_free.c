// undefined: after it was freed at 8:12
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 0;
    free(p);
    return *p;
}
