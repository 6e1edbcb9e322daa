// expect: unsafe
// why: an unsigned int is extended with zeros

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int i = __VERIFIER_nondet_int();
    unsigned long long wide = (unsigned)i;
    check((i < 0) == (wide >> 63));
    return 0;
}
