// expect: unsafe
// why: a `short` never holds 32768

extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    short s = __VERIFIER_nondet_short();
    short t = s;
    if (s == 32767)
        t++;
    check(t == s || t == 32768);
    return 0;
}
