// expect: safe
// why: `assert` of <assert.h> is a violation where it fails

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 10)
        assert(n > 9);
    return 0;
}
