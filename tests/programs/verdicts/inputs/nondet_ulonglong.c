// expect: safe
// why: an input of type `unsigned long long` is never negative

extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned long long n = __VERIFIER_nondet_ulonglong();
    check(n >> 63 <= 1);
    return 0;
}
