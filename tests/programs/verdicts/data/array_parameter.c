// expect: safe
// why: an array is passed as a pointer

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int sum(const int *a) { return a[0] + a[1] + a[2]; }

int main(void) {
    int a[3] = { 1, 2, 3 };
    check(sum(a) == 6);
    return 0;
}
