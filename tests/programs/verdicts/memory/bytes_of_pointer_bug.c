// expect: unsafe
// why: a pointer that is copied byte by byte

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int x = 1, y = 2, *p = &x, *q = &y;
    for (unsigned i = 0; i < sizeof p; i++)
        ((char *)&q)[i] = ((char *)&p)[i];
    *q = 3;
    check(x == 3 && y == 3);
    return 0;
}
