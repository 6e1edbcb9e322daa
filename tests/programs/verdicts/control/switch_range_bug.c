// expect: unsafe
// why: the second case is another one

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    char c = __VERIFIER_nondet_char();
    int r = 0;
    switch (c) {
    case -1:
        r = 1;
        break;
    case 127:
        r = 2;
    }
    check(r == 0 || c == -1 || c == 126);
    return 0;
}
