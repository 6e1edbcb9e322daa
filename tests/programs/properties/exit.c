// inputs: 0
// expect: finished 0
// inputs: 42
// expect: finished 42
// inputs: -1
// expect: finished -1
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void leave(int status) {
    exit(status);
    reach_error();
}

int main(void) {
    leave(__VERIFIER_nondet_int());
    reach_error();
    return 1;
}
