// expect: safe
// why: an unsigned long of lp64 holds the sum of two unsigned ints

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned long sum = (unsigned long)a + b;
    check(sum >= a && sum >= b);
    return 0;
}
