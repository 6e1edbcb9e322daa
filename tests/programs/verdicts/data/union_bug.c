// expect: unsafe
// why: the lowest byte comes first

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

union value {
    unsigned word;
    struct {
        unsigned char low, high;
    } bytes;
};

int main(void) {
    union value v;
    unsigned word = __VERIFIER_nondet_uint();
    v.word = word;
    check(v.bytes.low == (v.word >> 24));
    return 0;
}
