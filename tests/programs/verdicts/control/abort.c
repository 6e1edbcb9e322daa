// expect: safe
// why: nothing is reached after `abort`

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a > 0)
        abort();
    check(a <= 0);
    return 0;
}
