// expect: safe
// why: the branches of a conditional have a common type

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    long long r = __VERIFIER_nondet_bool() ? a : 0u;
    check(r >= 0);
    return 0;
}
