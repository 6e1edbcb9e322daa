// undefined: %d at 6:5
#include <stdio.h>

int main(void) {
    char buffer[20];
    sprintf(buffer, "%d");
    return 0;
}
