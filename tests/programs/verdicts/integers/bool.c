// expect: safe
// why: a conversion to `_Bool` gives zero or one

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int i = __VERIFIER_nondet_int();
    _Bool b = i;
    check(b == (i != 0));
    return 0;
}
