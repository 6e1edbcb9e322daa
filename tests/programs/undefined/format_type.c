// undefined: %d at 5:5
#include <stdio.h>

int main(void) {
    printf("%d", 1.5);
    return 0;
}
