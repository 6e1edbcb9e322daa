// expect: safe
// why: `char` is signed, so the byte 0x80 is negative as an int

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    char c = __VERIFIER_nondet_char();
    int i = c;
    check(i >= -128 && i <= 127);
    return 0;
}
