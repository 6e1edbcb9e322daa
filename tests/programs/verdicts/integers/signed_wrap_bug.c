// expect: unsafe
// why: the largest int has a smaller successor

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int i = __VERIFIER_nondet_int();
    int j = i + 1;
    check(j > i || i == 2147483646);
    return 0;
}
