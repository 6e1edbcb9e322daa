// inputs: 0
// expect: finished 0
#define NDEBUG
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    assert(n != 0);
    return n;
}
