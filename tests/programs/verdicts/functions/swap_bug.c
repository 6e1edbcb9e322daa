// expect: unsafe
// why: the first value is lost

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static void swap(int *p, int *q) {
    int t = *p;
    *p = *q;
    *q = *p;
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), x = a, y = b;
    swap(&x, &y);
    check(x == b && y == a);
    return 0;
}
