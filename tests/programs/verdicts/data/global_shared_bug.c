// expect: unsafe
// why: ten is stored as well

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int g;

static void set(int x) {
    if (x <= 10)
        g = x;
}

int main(void) {
    set(__VERIFIER_nondet_int());
    check(g <= 9);
    return 0;
}
