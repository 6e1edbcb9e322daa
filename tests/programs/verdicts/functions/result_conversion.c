// expect: safe
// why: a result is converted to the type of the function

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static unsigned char low(int x) { return x; }

int main(void) {
    int a = __VERIFIER_nondet_int();
    check(low(a) <= 255);
    return 0;
}
