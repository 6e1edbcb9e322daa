// expect: safe
// why: a pointer to a pointer

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int x = 0, y = 0;
    int *p = &x, **q = &p;
    *q = &y;
    *p = 1;
    check(x == 0 && y == 1);
    return 0;
}
