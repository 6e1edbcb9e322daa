// expect: unsafe
// why: another value is stored

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[4];
    for (int i = 0; i < 4; i++)
        a[i] = i + i;
    check(a[3] == 9);
    return 0;
}
