// expect: safe
// strategies: auto, interpolation
// why: a state that is set once stays

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int state = 0, open = 0;
    while (__VERIFIER_nondet_bool()) {
        if (state == 0 && __VERIFIER_nondet_bool()) {
            state = 1;
            open = 1;
        } else if (state == 1) {
            check(open);
            open = 0;
            state = 2;
        }
    }
    return 0;
}
