// expect: safe
// strategies: auto, interpolation
// why: the search stops at the last element at the latest

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int a[64];

int main(void) {
    int i;
    for (i = 0; i < 63; i++)
        a[i] = __VERIFIER_nondet_int();
    a[63] = 0;
    for (i = 0; a[i] != 0; i++)
        ;
    check(i <= 63);
    return 0;
}
