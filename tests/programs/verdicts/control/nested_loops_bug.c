// expect: unsafe
// why: the inner loop makes one round more

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int n = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= 4; j++)
            n++;
    check(n == 12);
    return 0;
}
