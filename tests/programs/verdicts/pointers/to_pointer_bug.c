// expect: unsafe
// why: the pointer is not changed but what it points to

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x = 0, y = 0;
    int *p = &x, **q = &p;
    **q = 5;
    *p = 1;
    check(x == 0 && y == 1);
    return 0;
}
