// expect: unsafe
// why: prefix gives the new value

extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_short();
    int b = ++a, c = ++a, d = a--, e = --a;
    check(b == e && c == d && c == b + 2);
    return 0;
}
