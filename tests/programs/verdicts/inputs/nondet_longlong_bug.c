// expect: unsafe
// why: the bit below the sign is free

extern long long __VERIFIER_nondet_longlong(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long long n = __VERIFIER_nondet_longlong();
    check(n >> 62 == (n < 0 ? -1 : 0));
    return 0;
}
