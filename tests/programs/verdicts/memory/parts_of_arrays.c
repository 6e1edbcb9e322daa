// expect: safe
// strategies: auto, bounded
// why: a part of an array is moved within it and cleared, on the stack and on the heap

#include <stdlib.h>
#include <string.h>

extern void reach_error(void);

int main(void) {
    int a[5] = {1, 2, 3, 4, 5};
    memmove(a + 1, a, 3 * sizeof(int));
    memset(a + 4, 0, sizeof(int));
    if (a[0] != 1 || a[1] != 1 || a[2] != 2 || a[3] != 3 || a[4] != 0)
        reach_error();
    int *p = malloc(4 * sizeof(int));
    p[0] = 5, p[1] = 6, p[2] = 7, p[3] = 8;
    memmove(p, p + 1, 3 * sizeof(int));
    if (p[0] != 6 || p[1] != 7 || p[2] != 8 || p[3] != 8)
        reach_error();
    return 0;
}
