// expect: unsafe
// why: an array of short that is read as int

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    short halves[2] = {2, 2};
    int *p = (int *)halves;
    check(*p == 0x20001);
    *p = 0x40003;
    check(halves[0] == 3 && halves[1] == 4);
    return 0;
}
