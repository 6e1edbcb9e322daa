// expect: unsafe
// why: -4 fits

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct small {
    signed int n : 3;
};

int main(void) {
    struct small s = { 0 };
    s.n = __VERIFIER_nondet_int();
    check(s.n >= -3 && s.n <= 3);
    return 0;
}
