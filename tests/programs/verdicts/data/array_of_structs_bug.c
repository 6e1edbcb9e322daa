// expect: unsafe
// why: the other member is written

extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct pair {
    int a, b;
};

int main(void) {
    struct pair a[2] = { { 1, 2 }, { 3, 4 } };
    unsigned i = __VERIFIER_nondet_uint() % 2;
    a[i].b = 9;
    check(a[0].b == 2 && a[1].b == 4);
    return 0;
}
