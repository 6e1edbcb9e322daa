// expect: unsafe
// why: the largest input is allowed

extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long long n = __VERIFIER_nondet_short();
    check(n >= -32768 && n < 32767);
    return 0;
}
