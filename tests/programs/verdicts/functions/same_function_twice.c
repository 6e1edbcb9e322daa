// expect: safe
// why: two calls of one function have their own variables

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int next(int x) {
    int r = x;
    r++;
    return r;
}

int main(void) {
    int a = __VERIFIER_nondet_char();
    int first = next(a), second = next(first);
    check(second == a + 2);
    return 0;
}
