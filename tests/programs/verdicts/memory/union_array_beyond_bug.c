// expect: unsafe
// strategies: auto, bounded; interpolation = unknown
// why: an index beyond an array in a union hits the next union, which is not modelled

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


union word {
    unsigned char bytes[4];
    int number;
};

int main(void) {
    unsigned at = __VERIFIER_nondet_uint() % 5;
    union word words[2] = {{{0}}, {{0}}};
    words[0].bytes[at] = 1;
    check(words[1].number == 0);
    return 0;
}
