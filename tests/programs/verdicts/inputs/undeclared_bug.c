// expect: unsafe
// why: an undeclared input of type `unsigned long` has values that no `int` has

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int b = __VERIFIER_nondet_bool();
    check(b == 0 || b == 1);
    int c = __VERIFIER_nondet_uchar();
    check(0 <= c && c <= 255);
    c = __VERIFIER_nondet_char();
    check(-128 <= c && c <= 127);
    c = __VERIFIER_nondet_short();
    check(-32768 <= c && c <= 32767);
    c = __VERIFIER_nondet_u16();
    check(0 <= c && c <= 65535);
    check(__VERIFIER_nondet_uint() >= 0);
    check(__VERIFIER_nondet_u32() >= 0);
    check(__VERIFIER_nondet_ulong() >= 0);
    check(__VERIFIER_nondet_size_t() >= 0);
    check(sizeof(__VERIFIER_nondet_longlong()) == 8);
    check(sizeof(__VERIFIER_nondet_pointer()) == sizeof(void *));
    check(sizeof(__VERIFIER_nondet_double()) == sizeof(double));
    check(sizeof(__VERIFIER_nondet_float()) == sizeof(float));
    int i = __VERIFIER_nondet_int();
    check(i == 0 || __VERIFIER_nondet_ulonglong() < (1ull << 40));
    return 0;
}
