// expect: safe
// why: an input of this type is between 0 and 65535

extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long long n = __VERIFIER_nondet_ushort();
    check(n >= 0 && n <= 65535);
    return 0;
}
