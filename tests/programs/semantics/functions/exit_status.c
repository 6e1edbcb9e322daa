// exit in a nested call ends the program with its status, modulo 256.
#include <stdio.h>
#include <stdlib.h>

static void at_depth(int n) {
    if (n == 0) {
        printf("leaving\n");
        exit(259);
    }
    at_depth(n - 1);
    printf("not reached\n");
}

int main(void) {
    at_depth(5);
    return 1;
}
