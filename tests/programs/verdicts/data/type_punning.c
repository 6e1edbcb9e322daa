// expect: safe
// why: an object is read byte by byte

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned u = __VERIFIER_nondet_uint();
    unsigned char *p = (unsigned char *)&u;
    check(*p == (u & 255));
    return 0;
}
