// expect: safe
// why: a static local keeps its value between calls

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int next(void) {
    static int n;
    return ++n;
}

int main(void) {
    next();
    next();
    check(next() == 3);
    return 0;
}
