// expect: unsafe
// why: the access is always in bounds

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[4] = { 0 };
    unsigned i = __VERIFIER_nondet_uint();
    a[i % 4] = 1;
    check(i < 4);
    return 0;
}
