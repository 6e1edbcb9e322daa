// expect: safe
// why: memcpy to one of two allocated objects

extern void *malloc(unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    *a = 1;
    *b = 2;
    int *p = __VERIFIER_nondet_int() ? a : b;
    int x = 7;
    memcpy(p, &x, sizeof x);
    check(*b == 2 || *p == 7);
    check(*a == 1 || *b == 2);
    return 0;
}
