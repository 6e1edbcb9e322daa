// expect: safe
// why: adding one to the largest unsigned int gives zero

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned u = __VERIFIER_nondet_uint();
    unsigned v = u + 1;
    check(v > u || v == 0);
    return 0;
}
