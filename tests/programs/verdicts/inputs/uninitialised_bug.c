// expect: unsafe
// why: the value may be any

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x;
    int y = x;
    check(x == 0);
    return 0;
}
