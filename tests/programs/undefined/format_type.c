// undefined: %s at 5:5
#include <stdio.h>

int main(void) {
    printf("%s", 5);
    return 0;
}
