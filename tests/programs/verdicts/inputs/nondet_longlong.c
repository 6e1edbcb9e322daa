// expect: safe
// why: an input of type `long long` may be negative

extern long long __VERIFIER_nondet_longlong(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long long n = __VERIFIER_nondet_longlong();
    check(n >> 63 == (n < 0 ? -1 : 0));
    return 0;
}
