// expect: safe
// why: an input of this type is between -2147483648 and 2147483647

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long long n = __VERIFIER_nondet_int();
    check(n >= -2147483648ll && n <= 2147483647);
    return 0;
}
