// expect: safe
// why: a null pointer is no variable

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x = 0;
    int *p = __VERIFIER_nondet_bool() ? &x : 0;
    if (p)
        *p = 1;
    check(x == (p != 0));
    return 0;
}
