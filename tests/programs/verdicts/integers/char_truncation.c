// expect: safe
// why: a conversion to `char` keeps the low eight bits

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int i = __VERIFIER_nondet_int();
    char c = (char)i;
    check(((c ^ i) & 0xff) == 0);
    return 0;
}
