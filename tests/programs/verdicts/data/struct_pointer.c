// expect: safe
// why: members are reached through a pointer

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct pair {
    int a, b;
};

static void set(struct pair *p, int x) { p->a = x; }

int main(void) {
    struct pair p = { 0, 7 };
    set(&p, __VERIFIER_nondet_int());
    check(p.b == 7);
    return 0;
}
