// expect: safe
// why: the address of a static local stays valid

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


static int *counter(void) {
    static int count;
    count++;
    return &count;
}

int main(void) {
    int *p = counter();
    int *q = counter();
    *p += 10;
    check(p == q && *q == 12);
    return 0;
}
