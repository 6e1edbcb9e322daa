// expect: unsafe
// why: the copy is changed

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct pair {
    int a, b;
};

int main(void) {
    struct pair p = { 1, 2 }, q = p;
    q.a = 5;
    check(q.a == 1 && q.b == 2);
    return 0;
}
