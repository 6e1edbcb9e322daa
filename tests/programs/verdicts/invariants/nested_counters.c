// expect: safe
// strategies: auto, interpolation
// why: the inner counter is the outer one after each round

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    while (i < n) {
        unsigned j = 0;
        while (j < 10)
            j++;
        check(j == 10 && i < n);
        i++;
    }
    return 0;
}
