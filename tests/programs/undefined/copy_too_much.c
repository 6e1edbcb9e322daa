// undefined: outside of at 6:5
#include <string.h>

int main(void) {
    char from[20] = {0}, to[10];
    memcpy(to, from, 11);
    return 0;
}
