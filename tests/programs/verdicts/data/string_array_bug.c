// expect: unsafe
// why: the zero at the end is not a letter

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    char s[4] = "xyz";
    unsigned i = __VERIFIER_nondet_uint() % 4;
    check(s[i] >= 'x' && s[i] <= 'z');
    return 0;
}
