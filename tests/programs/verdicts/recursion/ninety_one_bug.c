// expect: unsafe
// strategies: auto, interpolation, summaries, bounded
// why: the example of the paper on WHALE needs a guard and a summary for a nested call

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int ninety_one(int p) {
    if (p > 100)
        return p - 10;
    return ninety_one(ninety_one(p + 11));
}

int main(void) {
    if (ninety_one(__VERIFIER_nondet_int()) < 92)
        reach_error();
    return 0;
}
