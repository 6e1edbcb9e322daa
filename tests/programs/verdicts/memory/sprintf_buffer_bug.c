// expect: unsafe
// strategies: auto; interpolation = unknown; bounded = unknown
// why: what is printed is not followed by proofs

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

extern int sprintf(char *buffer, const char *format, ...);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char buffer[40];
    sprintf(buffer, "%d", __VERIFIER_nondet_int());
    check(buffer[0] != '7');
    return 0;
}
