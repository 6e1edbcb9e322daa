// expect: unsafe
// why: 101 passes

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int clamp(int x) {
    if (x > 101)
        return 100;
    return x;
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    check(clamp(a) <= 100);
    return 0;
}
