// expect: finished 0
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    free(p);
    p = 0;
    free(p);
    return 0;
}
