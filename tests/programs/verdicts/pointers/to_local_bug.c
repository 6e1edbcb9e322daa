// expect: unsafe
// why: nothing is stored

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int *p = &x;
    p = 0;
    check(x == 4);
    return 0;
}
