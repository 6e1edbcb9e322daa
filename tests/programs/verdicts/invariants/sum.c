// expect: safe
// strategies: auto, interpolation
// why: a sum of ones and the rest make up the bound

extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned n = __VERIFIER_nondet_ushort(), done = 0, left = n;
    while (left > 0) {
        left--;
        done++;
    }
    check(done == n);
    return 0;
}
