// expect: finished 0
#include <string.h>

int main(void) {
    char text[20] = "overlapping";
    memmove(text + 1, text, 5);
    return 0;
}
