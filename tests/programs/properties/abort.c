// inputs: 0
// expect: aborted
// inputs: 1
// expect: finished 0
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void check(int ok) {
    if (!ok) {
        abort();
    }
}

int main(void) {
    check(__VERIFIER_nondet_int());
    return 0;
}
