// expect: unsafe
// strategies: auto, summaries, bounded; interpolation = unknown
// why: the helper is wrong for one number

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void split(int number, int *half, int *rest) {
    *half = number / 2;
    *rest = number == 6 ? 1 : number % 2;
}

static int ones(int number) {
    int half, rest;
    if (number <= 0)
        return 0;
    split(number, &half, &rest);
    int *kept = &rest;
    int others = ones(half);
    if (rest != number % 2 || *kept != rest)
        reach_error();
    return others + *kept;
}

int main(void) {
    ones(__VERIFIER_nondet_int());
    return 0;
}
