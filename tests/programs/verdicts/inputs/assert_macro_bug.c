// expect: unsafe
// why: eleven passes the test

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 10)
        assert(n > 11);
    return 0;
}
