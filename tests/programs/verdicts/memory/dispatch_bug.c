// expect: unsafe
// why: a table of functions with an input as index

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


static int twice(int x) {
    return x + x;
}

static int thrice(int x) {
    return x + x + x;
}

static int none(int x) {
    return x - x;
}

int main(void) {
    int (*table[3])(int) = {twice, thrice, none};
    unsigned at = __VERIFIER_nondet_uint();
    if (at < 3)
        check(table[at](5) >= 10);
    return 0;
}
