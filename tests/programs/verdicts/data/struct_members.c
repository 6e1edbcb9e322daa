// expect: safe
// why: members are separate

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct pair {
    int a, b;
};

int main(void) {
    struct pair p;
    p.a = __VERIFIER_nondet_int();
    p.b = 3;
    p.a++;
    check(p.b == 3);
    return 0;
}
