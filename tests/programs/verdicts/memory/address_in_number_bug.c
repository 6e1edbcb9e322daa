// expect: unsafe
// why: an address goes through a number and back

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int x = 1, y = 2;
    unsigned long n = (unsigned long)&x;
    n += 8;
    n -= 8;
    int *p = (int *)n;
    *p = 3;
    check(x == 3 && y == 3);
    return 0;
}
