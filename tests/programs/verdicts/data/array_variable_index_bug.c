// expect: unsafe
// why: both indices may be the same

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[4] = { 0 };
    unsigned i = __VERIFIER_nondet_uint() % 4, j = __VERIFIER_nondet_uint() % 4;
    a[i] = 7;
    check(a[j] == (0));
    return 0;
}
