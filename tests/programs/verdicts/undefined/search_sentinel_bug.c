// expect: unknown
// strategies: auto
// why: without a zero the search runs off the array, and the index is only bounded because that is undefined

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[64];
    int i;
    for (i = 0; a[i] != 0; i++)
        ;
    check(i <= 64);
    return 0;
}
