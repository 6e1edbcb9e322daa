// expect: safe
// why: elements are separate

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[3] = { 1, 2, 3 };
    a[1] = __VERIFIER_nondet_int();
    check(a[0] + a[2] == 4);
    return 0;
}
