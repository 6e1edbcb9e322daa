// expect: safe
// strategies: auto, summaries, bounded; interpolation = unknown
// why: variables of a caller keep their values while the same function runs again

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int sum(int n) {
    int mine = n;
    if (n <= 0)
        return 0;
    int rest = sum(n - 1);
    if (mine != n)
        reach_error();
    return rest + mine;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 20)
        sum(n);
    return 0;
}
