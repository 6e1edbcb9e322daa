// expect: safe
// why: globals start as zero

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int g;

int main(void) {
    check(g == 0);
    return 0;
}
