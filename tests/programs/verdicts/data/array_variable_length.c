// expect: safe
// why: the size of an array may be an input

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 8 + 1;
    int a[n];
    a[n - 1] = 5;
    check(a[n - 1] == 5);
    return 0;
}
