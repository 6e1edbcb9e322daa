// expect: safe
// strategies: auto, summaries; interpolation = unknown; bounded = unknown
// why: the depth of a recursion is its result, however deep it is

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int climb(int steps) {
    if (steps <= 0)
        return 0;
    return 1 + climb(steps - 1);
}

int main(void) {
    int steps = __VERIFIER_nondet_int();
    if (steps < 0 || steps > 5000)
        return 0;
    if (climb(steps) != steps)
        reach_error();
    return 0;
}
