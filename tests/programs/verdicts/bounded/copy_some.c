// expect: safe
// strategies: auto, bounded
// why: so many bytes are copied, and the next one is not

#include <string.h>
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
    char from[6] = "aaaaa", to[6] = "bbbbb";
    unsigned size = __VERIFIER_nondet_uint();
    __VERIFIER_assume(size < 5);
    memcpy(to, from, size);
    for (unsigned i = 0; i < 5; i++)
        check(to[i] == (i < size ? 'a' : 'b'));
    return 0;
}
