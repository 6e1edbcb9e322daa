// expect: finished 0
#include <string.h>

int main(void) {
    char buffer[4];
    strcpy(buffer, "two");
    return 0;
}
