// expect: unsafe
// why: the ninth bit is lost

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int i = __VERIFIER_nondet_int();
    char c = (char)i;
    check(((c ^ i) & 0x1ff) == 0);
    return 0;
}
