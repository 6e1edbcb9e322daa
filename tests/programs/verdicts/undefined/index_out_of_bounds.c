// expect: unknown
// why: what follows an access out of bounds is not an execution

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[4] = { 0 };
    unsigned i = __VERIFIER_nondet_uint();
    a[i] = 1;
    check(i < 4);
    return 0;
}
