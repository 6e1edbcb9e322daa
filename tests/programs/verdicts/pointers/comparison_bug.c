// expect: unsafe
// why: equal pointers are not ordered

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[4];
    unsigned i = __VERIFIER_nondet_uint() % 4, j = __VERIFIER_nondet_uint() % 4;
    check((&a[i] < &a[j]) == (i <= j));
    return 0;
}
