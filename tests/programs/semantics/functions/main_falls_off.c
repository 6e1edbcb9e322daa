// Falling off the end of main returns 0; argc is 1 and argv ends with a null pointer.
#include <stdio.h>

int main(int argc, char **argv) {
    printf("%d %d %d\n", argc, argv[0] != 0, argv[argc] == 0);
    argc += 5;
    printf("%d\n", argc);
}
