// expect: safe
// strategies: auto, bounded
// why: a table is computed before inputs are read, and agrees with the definition

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static unsigned table[256];

static unsigned shifted(unsigned value) {
    for (int bit = 0; bit < 8; bit++)
        value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
    return value;
}

int main(void) {
    for (unsigned i = 0; i < 256; i++)
        table[i] = shifted(i);
    unsigned char bytes[2] = {__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar()};
    unsigned fast = ~0u, slow = ~0u;
    for (int i = 0; i < 2; i++) {
        fast = fast >> 8 ^ table[(fast ^ bytes[i]) & 255];
        slow = shifted(slow ^ bytes[i]);
    }
    check(fast == slow);
    return 0;
}
