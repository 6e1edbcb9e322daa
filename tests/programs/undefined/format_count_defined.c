// expect: finished 0
#include <stdio.h>

int main(void) {
    char buffer[20];
    sprintf(buffer, "%d", 1);
    return 0;
}
