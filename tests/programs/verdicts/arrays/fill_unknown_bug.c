// expect: unsafe
// why: the next element is compared

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
        if (j < n - 1 && a[j + 1] != 2 * j)
            reach_error();
    return 0;
}
