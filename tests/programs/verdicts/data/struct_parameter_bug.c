// expect: unsafe
// why: the original does not change

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct pair {
    int a, b;
};

static int sum(struct pair p) {
    p.a++;
    return p.a + p.b;
}

int main(void) {
    struct pair p = { 1, 2 };
    check(sum(p) == 4 && p.a == 2);
    return 0;
}
