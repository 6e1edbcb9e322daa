// expect: unsafe
// why: the other number need not be zero

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    a ^= b;
    b ^= a;
    a ^= b;
    check((a ^ b) == a);
    return 0;
}
