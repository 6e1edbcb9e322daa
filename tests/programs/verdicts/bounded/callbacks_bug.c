// expect: unsafe
// strategies: auto, bounded
// why: two are exchanged

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int twice(int x) { return 2 * x; }
static int next(int x) { return x + 1; }
static int (*const operations[2])(int) = {next, twice};

int main(void) {
    unsigned which = __VERIFIER_nondet_uint() & 1;
    unsigned char x = __VERIFIER_nondet_uchar();
    int result = operations[which](x);
    check(result == (which ? x + 1 : 2 * x));
    return 0;
}
