// expect: safe
// why: a right shift of an unsigned number brings zeros

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint();
    check(a >> 31 <= 1);
    return 0;
}
