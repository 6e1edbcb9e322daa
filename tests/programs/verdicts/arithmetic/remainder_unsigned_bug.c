// expect: unsafe
// why: nine is a remainder too

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint();
    check(a % 10 < 9);
    return 0;
}
