// expect: safe
// data-model: lp64
// why: where members are if pointers have 64 bits

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct record {
    char *name;
    long count;
    long long total;
};

int main(void) {
    struct record r = {0, 1, 2};
    long *p = (long *)((unsigned long)&r + 8);
    check(*p == 1 && sizeof r == 24);
    return 0;
}
