// expect: safe
// why: calls may be arguments of calls

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int increment(int x) { return x + 1; }

static int twice(int x) { return x + x; }

int main(void) {
    int a = __VERIFIER_nondet_char();
    check(twice(increment(a)) == 2 * a + 2);
    return 0;
}
