// expect: unknown
// strategies: auto, interpolation, bounded
// why: the element that is read last matters

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[4] = { 1, 2, 3, 4 };
    int i = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    int *q = n > 3 ? a : 0;
    int y = i / n, z = 1 << n;
    *q = 1;
    int x = a[i];
    check(x >= 1 && x <= 4);
    return 0;
}
