// expect: unsafe
// why: pointers into one object are ordered

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int a[8];
    unsigned i = __VERIFIER_nondet_uint() % 8, j = __VERIFIER_nondet_uint() % 8;
    int *p = a + i, *q = a + j;
    if (p < q)
        check(i + 1 < j);
    else
        check(p >= q && p - q == (long)i - (long)j);
    return 0;
}
