// expect: safe
// strategies: auto, bounded
// why: recursion ends because a number gets smaller

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static unsigned sum(unsigned n) {
    return n == 0 ? 0 : n + sum(n - 1);
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n <= 12);
    check(sum(n) == n * (n + 1) / 2);
    return 0;
}
