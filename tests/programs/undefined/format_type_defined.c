// expect: finished 0
#include <stdio.h>

int main(void) {
    printf("%s", "");
    return 0;
}
