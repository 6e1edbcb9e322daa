// expect: safe
// strategies: auto, bounded
// why: a pointer runs over an array; but the invariant contains a number that depends on where the search has put `a`

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[4] = { 1, 2, 3, 4 }, sum = 0;
    for (int *p = a; p < a + 4; p++)
        sum += *p;
    check(sum == 10);
    return 0;
}
