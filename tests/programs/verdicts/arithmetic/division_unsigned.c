// expect: safe
// why: a negative number is large as an unsigned one

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a < 0)
        check((unsigned)a / 2 >= 0x40000000u);
    return 0;
}
