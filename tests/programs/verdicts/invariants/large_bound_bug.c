// expect: unsafe
// why: one step jumps over the bound

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned i = 0;
    while (i < 100000)
        i += i == 2 ? 99999 : 1;
    check(i == 100000);
    return 0;
}
