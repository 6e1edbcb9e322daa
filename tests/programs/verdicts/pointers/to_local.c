// expect: safe
// why: a store through a pointer changes the variable

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int *p = &x;
    *p = 4;
    check(x == 4);
    return 0;
}
