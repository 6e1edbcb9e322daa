// expect: safe
// why: writing a bit-field leaves its neighbours alone

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct flags {
    unsigned a : 1, b : 3, c : 4;
};

int main(void) {
    struct flags f = { 1, 5, 2 };
    f.b = __VERIFIER_nondet_uint();
    check(f.a == 1 && f.c == 2);
    return 0;
}
