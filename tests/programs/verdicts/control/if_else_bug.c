// expect: unsafe
// why: the middle branch takes one as well

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int(), r;
    if (a < 0)
        r = 1;
    else if (a <= 1)
        r = 2;
    else
        r = 3;
    check(r != 2 || a == 0);
    return 0;
}
