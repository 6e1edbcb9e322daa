// Built-ins that tell where they stand.
#include <stdio.h>

int line(void) {
    return __builtin_LINE();
}

int main(void) {
    int here = __builtin_LINE(), there = __LINE__;
    printf("%d %d %d\n", here, there, line());
    printf("%s %d\n", __builtin_FUNCTION(), (int)sizeof(__builtin_FUNCTION()));
    printf("%d\n", __builtin_FILE()[0] == __FILE__[0]);
    return 0;
}
