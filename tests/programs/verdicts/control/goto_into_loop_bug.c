// expect: unsafe
// why: one more round

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int i = 1, n = 0;
    goto middle;
    while (i < 5) {
        n++;
    middle:
        i++;
    }
    check(n == 2);
    return 0;
}
