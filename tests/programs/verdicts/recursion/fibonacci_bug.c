// expect: unsafe
// strategies: auto, summaries; interpolation = unknown; bounded = unknown
// why: two calls in one expression; the results for all arguments up to a bound make a table

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int fibonacci(int n) {
    if (n < 2)
        return n < 0 ? 0 : n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 30 && fibonacci(n) > 54)
        reach_error();
    return 0;
}
