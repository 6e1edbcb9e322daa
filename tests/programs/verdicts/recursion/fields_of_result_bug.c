// expect: unsafe
// strategies: auto, summaries, bounded; interpolation = unknown
// why: one of the steps costs more

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct count {
    int steps, cost;
};

static struct count climb(int height) {
    struct count so_far = {0, 0};
    if (height <= 0)
        return so_far;
    so_far = climb(height - 1);
    so_far.steps++;
    so_far.cost += height == 9 ? 8 : 7;
    return so_far;
}

int main(void) {
    struct count all = climb(__VERIFIER_nondet_int());
    if (all.cost != 7 * all.steps)
        reach_error();
    return 0;
}
