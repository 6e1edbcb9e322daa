// expect: unsafe
// why: another number is left out

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int i = 0, n = 0;
    while (i < 5) {
        i++;
        if (i == 4)
            continue;
        n += i;
    }
    check(n == 12);
    return 0;
}
