// expect: unsafe
// why: the bytes of a number, lowest first

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


union word {
    unsigned number;
    unsigned char bytes[4];
};

int main(void) {
    union word w;
    w.number = 0x01020304;
    unsigned at = __VERIFIER_nondet_uint() % 4;
    check(w.bytes[at] == 4 - at);
    w.bytes[at] = 0;
    check(w.number < 0x01020304);
    w.bytes[0] = __VERIFIER_nondet_uchar();
    check(w.number >> 8 <= 0x010203- 1);
    return 0;
}
