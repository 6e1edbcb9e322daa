// undefined: free at 6:5
#include <stdlib.h>

int main(void) {
    int x, *p = &x;
    free(p);
    return 0;
}
