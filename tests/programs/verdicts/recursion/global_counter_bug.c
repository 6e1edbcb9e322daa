// expect: unsafe
// strategies: auto, summaries, bounded; interpolation = unknown
// why: what a function does to a global variable passes through its summary

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int steps;

static void towers(int n, int from, int to) {
    if (n == 0)
        return;
    towers(n - 1, from, 6 - from - to);
    steps++;
    towers(n - 1, 6 - from - to, to);
}

int main(void) {
    int before = __VERIFIER_nondet_int();
    steps = before;
    towers(10, 1, 3);
    if (steps != (int)((unsigned)before + 1024u))
        reach_error();
    return 0;
}
