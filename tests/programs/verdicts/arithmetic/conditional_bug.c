// expect: unsafe
// why: the other branch may be the one

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int(), n = 0, m = 0;
    int r = a > 0 ? ++n : --m;
    check(n + m == r && n == 1);
    return 0;
}
