// expect: safe
// why: a structure is returned by value

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct pair {
    int a, b;
};

static struct pair make(int x) {
    struct pair p = { x, x + 1 };
    return p;
}

int main(void) {
    int x = __VERIFIER_nondet_char();
    struct pair p = make(x);
    check(p.b - p.a == 1);
    return 0;
}
