// expect: unsafe
// why: a signed comparison knows negative numbers

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a < 0)
        check(a > 5);
    return 0;
}
