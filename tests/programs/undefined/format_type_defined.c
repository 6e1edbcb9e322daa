// expect: finished 0
#include <stdio.h>

int main(void) {
    printf("%d", 1);
    return 0;
}
