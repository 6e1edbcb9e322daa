// expect: safe
// strategies: auto, bounded
// why: what `printf` did to `errno` is overwritten

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
    if (!errno && result * 2 != n)
        reach_error();
    return 0;
}
