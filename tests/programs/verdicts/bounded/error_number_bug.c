// expect: unsafe
// strategies: auto, bounded
// why: an odd number has no half

#include <errno.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int half(int n) {
    if (n % 2) {
        errno = EINVAL;
        return 0;
    }
    return n / 2;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    printf("half of %d\n", n);
    errno = 0;
    int result = half(n);
    if (errno && errno != EINVAL)
        reach_error();
    if (result * 2 != n)
        reach_error();
    return 0;
}
