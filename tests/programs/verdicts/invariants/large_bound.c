// expect: safe
// strategies: auto, interpolation
// why: the number of rounds does not matter

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned i = 0;
    while (i < 100000)
        i++;
    check(i == 100000);
    return 0;
}
