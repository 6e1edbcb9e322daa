// expect: unsafe
// strategies: auto, summaries, bounded; interpolation = unknown
// why: a call writes the variable of an outer call of the same function, through a global pointer

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int *kept;

static void descend(int level) {
    int own = level;
    if (level == 4)
        kept = &own;
    if (level > 0)
        descend(level - 1);
    else if (kept != 0)
        *kept = 0;
    if (own != level)
        reach_error();
}

int main(void) {
    descend(__VERIFIER_nondet_int());
    return 0;
}
