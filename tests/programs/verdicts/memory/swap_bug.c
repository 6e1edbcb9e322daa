// expect: unsafe
// why: swapping through pointers, of a variable with itself too

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


static void swap(int *p, int *q) {
    int t = *p;
    *p = *q;
    *q = t;
}

static void xor_swap(int *p, int *q) {
    *p ^= *q;
    *q ^= *p;
    *p ^= *q;
}

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int a = x, b = y;
    xor_swap(&a, &b);
    check(a == y && b == x);
    swap(&a, &a);
    xor_swap(&b, &b);
    check(a == y && b == x);
    return 0;
}
