// abort ends the program abnormally; what was flushed before stays.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("before\n");
    fflush(stdout);
    abort();
}
