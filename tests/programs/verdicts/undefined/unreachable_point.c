// expect: safe
// strategies: auto, interpolation, bounded
// why: no execution comes to the point that must not be reached

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int sign(int x) {
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
    if (x == 0)
        return 0;
    __builtin_unreachable();
}

int main(void) {
    int s = sign(__VERIFIER_nondet_int());
    check(s >= -1 && s <= 1);
    return 0;
}
