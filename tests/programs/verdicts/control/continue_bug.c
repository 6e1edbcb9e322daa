// expect: unsafe
// why: another number of rounds is skipped

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int n = 0;
    for (int i = 0; i < 6; i++) {
        if (i % 3)
            continue;
        n++;
    }
    check(n == 3);
    return 0;
}
