// expect: safe
// why: an input of this type is between 0 and 1

extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long long n = __VERIFIER_nondet_bool();
    check(n >= 0 && n <= 1);
    return 0;
}
