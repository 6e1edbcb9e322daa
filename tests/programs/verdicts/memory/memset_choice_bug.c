// expect: unsafe
// why: memset of one of two allocated objects

extern void *malloc(unsigned long);
extern void *memset(void *, int, unsigned long);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    long *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    *a = 1;
    *b = 2;
    memset(__VERIFIER_nondet_int() ? a : b, 0, sizeof *a);
    check(*a + *b == 1);
    return 0;
}
