// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: the array has as many elements as an input says

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000)
        return 0;
    int a[n];
    for (unsigned i = 0; i < n; i++)
        a[i] = 1;
    for (unsigned j = 0; j < n; j++)
        if (a[j] != 1)
            reach_error();
    return 0;
}
