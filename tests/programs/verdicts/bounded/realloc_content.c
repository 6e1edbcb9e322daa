// expect: safe
// strategies: auto, bounded
// why: what was there before stays

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
    int *numbers = malloc(2 * sizeof *numbers);
    if (!numbers)
        return 0;
    numbers[0] = __VERIFIER_nondet_int();
    numbers[1] = numbers[0] ^ 1;
    int *more = realloc(numbers, 4 * sizeof *numbers);
    if (!more)
        return 0;
    more[3] = more[0];
    check((more[1] ^ more[3]) == 1);
    free(more);
    return 0;
}
