// expect: safe
// why: a pointer may point to a member

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct pair {
    int a, b;
};

static void set(int *p) { *p = 9; }

int main(void) {
    struct pair p = { 1, 2 };
    set(&p.b);
    check(p.a == 1 && p.b == 9);
    return 0;
}
