// expect: safe
// why: an assumption may be a function with `abort`

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

void assume_abort_if_not(int cond) {
    if (!cond)
        abort();
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    assume_abort_if_not(n % 2 == 0);
    check(n != 7);
    return 0;
}
