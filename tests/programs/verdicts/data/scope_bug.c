// expect: unsafe
// why: without a declaration the outer one changes

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x = 1;
    {
        x = __VERIFIER_nondet_int();
        x++;
    }
    check(x == 1);
    return 0;
}
