// expect: safe
// why: a `_Bool` looks at all bits, not at the lowest

extern long long __VERIFIER_nondet_longlong(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    long long wide = __VERIFIER_nondet_longlong();
    _Bool b = wide;
    char low = (char)wide;
    check(b || low == 0);
    return 0;
}
