// expect: unsafe
// why: besides zero the least number is its own negative

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    check(-a != a || a == 0);
    return 0;
}
