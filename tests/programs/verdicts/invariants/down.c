// expect: safe
// strategies: auto, interpolation
// why: a number that falls stops at zero

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x = 1000;
    while (__VERIFIER_nondet_bool() && x > 0)
        x--;
    check(x >= 0 && x <= 1000);
    return 0;
}
