// expect: unsafe
// why: the other function may be called

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int up(int x) { return x + 1; }

static int down(int x) { return x - 1; }

int main(void) {
    int (*f)(int) = __VERIFIER_nondet_bool() ? up : down;
    int r = f(10);
    check(r == 11 || r == 8);
    return 0;
}
