// expect: unsafe
// why: the sign is kept, not moved

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    check(a >= 0 || a >> 31 == 1);
    return 0;
}
