// expect: unsafe
// why: the last element is left out

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a[4] = { 1, 2, 3, 4 }, sum = 0;
    for (int *p = a; p < a + 3; p++)
        sum += *p;
    check(sum == 10);
    return 0;
}
