// expect: unsafe
// strategies: auto
// why: one step of the full ladder is missing, 5000 calls deep

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int climb(int steps) {
    if (steps <= 0 || steps == 4999)
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
