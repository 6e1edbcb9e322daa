// expect: safe
// why: an input of this type is between -128 and 127

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long long n = __VERIFIER_nondet_char();
    check(n >= -128 && n <= 127);
    return 0;
}
