// undefined: overlap at 6:5
#include <string.h>

int main(void) {
    char text[20] = "overlapping";
    memcpy(text + 1, text, 5);
    return 0;
}
