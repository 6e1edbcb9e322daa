// expect: unsafe
// why: this one has an initialiser

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int g = 1;

int main(void) {
    check(g == 0);
    return 0;
}
