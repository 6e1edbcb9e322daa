// expect: unsafe
// why: a structure is assigned to one that may be the same

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct pair {
    int a, b;
};

int main(void) {
    struct pair one = {1, 2}, two = {3, 4};
    struct pair *p = __VERIFIER_nondet_int() ? &one : &two;
    struct pair *q = __VERIFIER_nondet_int() ? &one : &two;
    *p = *q;
    check(p->b == q->b);
    check(one.a + 1 == one.b && two.a+ 2 <= two.b);
    return 0;
}
