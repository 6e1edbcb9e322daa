// expect: unsafe
// why: the table has the other order

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int up(int x) { return x + 1; }

static int down(int x) { return x - 1; }

static int (*const table[])(int) = { down, up };

int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 2;
    check(table[i](5) == (i ? 4 : 6));
    return 0;
}
