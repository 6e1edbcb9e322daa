// undefined: outside of at 6:5
#include <string.h>

int main(void) {
    char buffer[4];
    strcpy(buffer, "four");
    return 0;
}
