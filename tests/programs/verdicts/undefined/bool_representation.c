// expect: safe
// strategies: auto, bounded
// why: a `_Bool` is 0 or 1 in memory too

extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

union both {
    _Bool b;
    unsigned char c;
};

int main(void) {
    union both u;
    u.b = __VERIFIER_nondet_bool();
    check(u.c <= 1);
    _Bool a = __VERIFIER_nondet_bool();
    check(*(unsigned char *)&a <= 1);
    unsigned char c = __VERIFIER_nondet_uchar();
    if (c > 1)
        return 0;
    u.c = c;
    check(u.b == 0 || u.b == 1);
    return 0;
}
