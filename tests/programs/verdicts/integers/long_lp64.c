// expect: safe
// why: a `long` of lp64 holds every int doubled

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int i = __VERIFIER_nondet_int();
    long twice = 2L * i;
    check(twice / 2 == i);
    return 0;
}
