// expect: unsafe
// strategies: auto, summaries, bounded; interpolation = unknown
// why: the error is inside of the recursive function, which only its guard excludes

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void descend(int level, int limit) {
    if (level > limit)
        reach_error();
    if (level < limit + 1)
        descend(level + 1, limit);
}

int main(void) {
    int limit = __VERIFIER_nondet_int();
    if (limit > 0)
        descend(0, limit);
    return 0;
}
