// expect: unsafe
// why: a signed quotient stays negative

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a < 0)
        check(a / 2 >= 0x40000000);
    return 0;
}
