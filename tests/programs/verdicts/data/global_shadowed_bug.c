// expect: unsafe
// why: without the local the global changes

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int g = 1;

static int get(void) { return g; }

int main(void) {
    g++;
    check(get() == 1);
    return 0;
}
