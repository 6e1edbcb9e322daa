// expect: safe
// why: a remainder has the sign of the dividend

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    int r = a % 8;
    check(r > -8 && r < 8 && (a >= 0 || r <= 0));
    return 0;
}
