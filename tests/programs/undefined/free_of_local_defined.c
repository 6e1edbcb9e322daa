// expect: finished 0
#include <stdlib.h>

int main(void) {
    int x, *p = malloc(4);
    free(p);
    return 0;
}
