// expect: finished 0
#include <string.h>

int main(void) {
    char text[3] = "ab";
    return (int)strlen(text) != 2;
}
