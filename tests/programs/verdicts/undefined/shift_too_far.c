// expect: unknown
// why: what follows a shift by too much is not an execution

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned x = 1u << n;
    check(n < 32 && x != 0);
    return 0;
}
