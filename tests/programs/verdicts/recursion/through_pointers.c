// expect: safe
// strategies: auto, summaries, bounded; interpolation = unknown
// why: a loop as a recursion that changes the variables of its caller

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void run(int *left, int *done) {
    if (*left <= 0)
        return;
    *left -= 1;
    *done += 3;
    run(left, done);
}

int main(void) {
    int left = 40, done = 0;
    run(&left, &done);
    if (done != 120)
        reach_error();
    return 0;
}
