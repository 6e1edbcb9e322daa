// expect: unsafe
// strategies: auto, interpolation, summaries, bounded
// why: one summary of a function with a loop serves all its calls

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int pressure;

static void pump(int strokes) {
    int left = strokes, done = 0;
    if (strokes < 0)
        return;
    if (pressure)
        reach_error();
    pressure = 1;
    while (left > 0) {
        if (done + left != strokes || !pressure)
            reach_error();
        left--;
        done++;
    }
    if (done != strokes)
        reach_error();
    pressure = strokes == 7;
}

int main(void) {
    pump(__VERIFIER_nondet_int());
    pump(__VERIFIER_nondet_int());
    pump(__VERIFIER_nondet_int());
    if (pressure)
        reach_error();
    return 0;
}
