// expect: unsafe
// why: a negative `char` stays negative when it becomes an int

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    char c = __VERIFIER_nondet_char();
    int i = c;
    check(i >= 0 && i <= 127);
    return 0;
}
