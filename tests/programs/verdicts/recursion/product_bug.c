// expect: unsafe
// strategies: auto, summaries, bounded; interpolation = unknown
// why: one addition too many, but only for counts above three

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static unsigned times(unsigned count, unsigned what) {
    return count == 0 ? 0 : count == 4 ? 5 * what : what + times(count - 1, what);
}

int main(void) {
    unsigned rows = (unsigned)__VERIFIER_nondet_int(), columns = (unsigned)__VERIFIER_nondet_int();
    if (rows < 20 && columns < 20 && times(rows, columns) != times(columns, rows))
        reach_error();
    return 0;
}
