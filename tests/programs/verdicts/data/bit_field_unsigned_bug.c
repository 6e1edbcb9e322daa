// expect: unsafe
// why: seven fits

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct flags {
    unsigned one : 1, three : 3;
};

int main(void) {
    struct flags f = { 0 };
    f.three = __VERIFIER_nondet_uint();
    check(f.three <= 6);
    return 0;
}
