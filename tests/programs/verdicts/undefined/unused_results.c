// expect: safe
// strategies: auto, interpolation, bounded
// why: what undefined operations give does not matter here

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct pair {
    int a[2];
    int b;
};

int main(void) {
    int a[4] = { 1, 2, 3, 4 };
    struct pair p = { { 0, 0 }, 5 };
    int i = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    int *q = n > 3 ? a : 0;
    int x = a[i], y = i / n, z = 1 << n;
    *q = 7;
    a[i] = 9;
    check(p.b == 5);
    if (x == y && y == z && x != z)
        reach_error();
    return 0;
}
