// expect: safe
// strategies: auto, interpolation
// why: a do loop runs at least once

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int n = 0;
    do
        n++;
    while (__VERIFIER_nondet_bool() && n < 5);
    check(n >= 1);
    return 0;
}
