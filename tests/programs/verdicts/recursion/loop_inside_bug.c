// expect: unsafe
// strategies: auto, interpolation, summaries, bounded
// why: a loop inside of a recursive function: both are procedures

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int climb(int height) {
    int steps = 0;
    if (height <= 0)
        return 0;
    while (steps < 2)
        steps++;
    return climb(height - 1) + steps;
}

int main(void) {
    int height = __VERIFIER_nondet_int();
    if (height < 0 || height > 1000)
        return 0;
    if (climb(height) != 2 * height + 1)
        reach_error();
    return 0;
}
