// expect: safe
// strategies: auto, summaries; interpolation = unknown; bounded = unknown
// why: multiplication by additions gives the product of what it is given, in both orders

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static unsigned times(unsigned count, unsigned what) {
    return count == 0 ? 0 : what + times(count - 1, what);
}

int main(void) {
    unsigned rows = (unsigned)__VERIFIER_nondet_int(), columns = (unsigned)__VERIFIER_nondet_int();
    if (times(rows, columns) != times(columns, rows))
        reach_error();
    return 0;
}
