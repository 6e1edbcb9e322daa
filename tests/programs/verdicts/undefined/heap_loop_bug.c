// expect: unknown
// strategies: auto, interpolation
// why: the last index is one too large

extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 1 || n > 1000)
        return 0;
    unsigned *p = malloc(n * sizeof(unsigned));
    unsigned i = 0;
    while (i <= n) {
        p[i] = i;
        check(p[i] == i);
        i++;
    }
    free(p);
    return 0;
}
