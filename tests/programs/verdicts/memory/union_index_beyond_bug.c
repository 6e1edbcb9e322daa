// expect: unsafe
// strategies: auto, bounded; interpolation = unknown
// why: an index beyond an array in a union hits what comes behind the union, which is not modelled

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct record {
    union {
        unsigned char bytes[4];
        int number;
    } u;
    int next;
};

int main(void) {
    unsigned at = __VERIFIER_nondet_uint() % 5;
    struct record r = {{{0}}, 0};
    r.u.bytes[at] = 1;
    check(r.next == 0);
    return 0;
}
