// expect: safe
// strategies: auto, bounded
// why: all bytes of new memory are zero, however many there are

#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned count = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
    __VERIFIER_assume(count > 0 && count <= 9 && at < count);
    short *numbers = calloc(count, sizeof *numbers);
    if (!numbers)
        return 0;
    numbers[count - 1] = 0;
    check(numbers[at] == 0);
    free(numbers);
    return 0;
}
