// expect: safe
// why: a function may store through its parameter

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static void clear(int *out, int x) { *out = x & 1; }

int main(void) {
    int a = __VERIFIER_nondet_int(), r = 0;
    clear(&r, a);
    check(r == (a & 1));
    return 0;
}
