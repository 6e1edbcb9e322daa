// expect: unsafe
// why: another function is handed on

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int negate(int x) { return -x; }

static int keep(int x) { return x; }

static int apply(int (*f)(int), int x) { return f(x); }

int main(void) {
    int a = __VERIFIER_nondet_char();
    check(apply(keep, a) == -a);
    return 0;
}
