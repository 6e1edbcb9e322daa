// expect: safe
// why: a difference of equal numbers is zero, and of no others

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    check((a - b == 0) == (a == b));
    return 0;
}
