// expect: safe
// why: goto backwards is a loop

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    again:
    if (i < n % 8) {
        i++;
        goto again;
    }
    check(i < 8);
    return 0;
}
