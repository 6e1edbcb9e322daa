// expect: unsafe
// why: an automatic variable starts again

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int next(void) {
    int n = 0;
    return ++n;
}

int main(void) {
    next();
    next();
    check(next() == 3);
    return 0;
}
