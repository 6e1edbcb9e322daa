// expect: safe
// why: a local of a block is a new object in each turn

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = i, *p = &x;
        *p += 1;
        sum += x;
    }
    check(sum == 6);
    return 0;
}
