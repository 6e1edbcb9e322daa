// expect: finished 0
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    p[9] = 1;
    free(p);
    return 0;
}
