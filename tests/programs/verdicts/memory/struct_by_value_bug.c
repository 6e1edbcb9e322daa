// expect: unsafe
// why: a structure that is passed and returned is a copy each time

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct point {
    int x, y;
    int *shared;
};

static struct point moved(struct point p, int by) {
    p.x += by;
    *p.shared += by;
    return p;
}

int main(void) {
    int count = 0;
    struct point a = {1, 2, &count};
    struct point b = moved(a, 3), c = moved(moved(a, 1), 1);
    check(a.x == 1 && b.x == 4 && c.x == 3 && c.y == 2);
    check(count == 3 && b.shared == &count);
    return 0;
}
