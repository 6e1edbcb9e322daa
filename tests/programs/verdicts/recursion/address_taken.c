// expect: safe
// strategies: auto, bounded, summaries; interpolation = unknown
// why: each call gets a pointer to a variable of the call before

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int deeper(int *outer, int n) {
    int inner = *outer + 1;
    return n == 0 ? inner : deeper(&inner, n - 1);
}

int main(void) {
    int start = 0;
    if (deeper(&start, 3) != 4)
        reach_error();
    return 0;
}
