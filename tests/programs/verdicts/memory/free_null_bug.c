// expect: unsafe
// why: freeing a null pointer does nothing

extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int *p = 0, x = 3;
    if (__VERIFIER_nondet_int())
        p = malloc(sizeof *p);
    if (p)
        *p = x;
    x = p ? *p + 1 : x;
    free(p);
    check(x == 3);
    return 0;
}
