// expect: unsafe
// why: the largest input is allowed

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long long n = __VERIFIER_nondet_uint();
    check(n >= 0 && n < 4294967295ll);
    return 0;
}
