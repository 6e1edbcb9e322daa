// expect: safe
// strategies: auto, summaries; interpolation = unknown; bounded = unknown
// why: each call gives its caller a result through a pointer to a variable of that call

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void count(int n, int *out) {
    int below = 0;
    if (n <= 0) {
        *out = 0;
        return;
    }
    count(n - 1, &below);
    *out = below < 10 ? below + 1 : below;
}

int main(void) {
    int steps = -1;
    count(__VERIFIER_nondet_int(), &steps);
    if (steps < 0 || steps > 10)
        reach_error();
    return 0;
}
