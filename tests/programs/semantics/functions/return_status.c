// The result of main is the exit status; negative numbers wrap.
#include <stdio.h>

int main(void) {
    printf("before\n");
    return -2;
}
