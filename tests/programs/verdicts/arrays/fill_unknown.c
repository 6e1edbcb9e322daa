// expect: safe
// strategies: auto, interpolation, bounded
// why: the bound of the loop is an input

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int a[1000];
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000)
        return 0;
    for (unsigned i = 0; i < n; i++)
        a[i] = 2 * i;
    for (unsigned j = 0; j < n; j++)
        if (a[j] != 2 * j)
            reach_error();
    return 0;
}
