// expect: safe
// strategies: auto, summaries; interpolation = unknown; bounded = unknown
// why: the guard that both arguments are positive keeps the result positive

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int divisor(int a, int b) {
    if (a == b)
        return a;
    return a > b ? divisor(a - b, b) : divisor(a, b - a);
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 1 || b < 1)
        return 0;
    if (divisor(a, b) < 1)
        reach_error();
    return 0;
}
