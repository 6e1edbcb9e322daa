// expect: unsafe
// why: the sum wraps in 32 bits

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned long sum = a + b;
    check(sum >= a && sum >= b);
    return 0;
}
