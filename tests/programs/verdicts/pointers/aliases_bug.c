// expect: unsafe
// why: the pointers may be equal

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x = 1, y = 2;
    int *p = &x, *q = __VERIFIER_nondet_bool() ? &x : &y;
    *q = 5;
    check(*p == 1);
    return 0;
}
