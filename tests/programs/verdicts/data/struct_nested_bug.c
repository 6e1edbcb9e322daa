// expect: unsafe
// why: the other member is written

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct point {
    int x, y;
};

struct line {
    struct point from, to;
};

int main(void) {
    struct line l = { { 1, 2 }, { 3, 4 } };
    l.to.x = __VERIFIER_nondet_int();
    check(l.from.y == 2 && l.to.x == 3);
    return 0;
}
