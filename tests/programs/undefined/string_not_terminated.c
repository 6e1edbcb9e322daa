// undefined: outside of at 6:17
#include <string.h>

int main(void) {
    char text[3] = "abc";
    return (int)strlen(text) != 2;
}
