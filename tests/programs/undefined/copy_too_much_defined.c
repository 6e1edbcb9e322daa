// expect: finished 0
#include <string.h>

int main(void) {
    char from[20] = {0}, to[10];
    memcpy(to, from, 10);
    return 0;
}
