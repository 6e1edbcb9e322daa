// expect: unsafe
// why: an automatic variable is initialised each time

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int next(void) {
    int n = 10;
    n++;
    return n;
}

int main(void) {
    next();
    check(next() == 12);
    return 0;
}
