// expect: unknown
// why: the type of a bit-field has the width of the bit-field, which is not supported here

extern void reach_error(void);

struct {
    int narrow : 4;
} bits;

static int reach(void) {
    return 5;
}

int main(void) {
    if (!__builtin_mul_overflow_p(3, reach(), bits.narrow))
        reach_error();
    return 0;
}
