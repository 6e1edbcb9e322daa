// expect: unsafe
// why: the address of a member is not null

extern void *malloc(unsigned long);
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
    struct pair *p = __VERIFIER_nondet_int() ? malloc(sizeof *p) : 0;
    int *q = p ? &p->b : malloc(sizeof *q);
    check((q != 0) == (p != 0));
    return 0;
}
