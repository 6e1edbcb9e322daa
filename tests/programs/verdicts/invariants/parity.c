// expect: safe
// strategies: auto, interpolation
// why: steps of two keep a number even

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned x = 0;
    while (__VERIFIER_nondet_bool())
        x += 2;
    check(x % 2 == 0);
    return 0;
}
