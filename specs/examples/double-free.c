// rorqual check specs/examples/double-free.c --spec specs/double-free.spec
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    char *buffer = malloc(16);
    int failed = __VERIFIER_nondet_int();
    if (failed) {
        free(buffer);
        buffer = 0;
    }
    free(buffer);
    return 0;
}
