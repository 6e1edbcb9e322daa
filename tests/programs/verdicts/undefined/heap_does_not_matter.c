// expect: safe
// strategies: auto, interpolation, bounded
// why: the claim holds whatever is read

extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int *p = malloc(sizeof(int));
    int i = __VERIFIER_nondet_int();
    p[i] = 5;
    int x = p[i + 1];
    check(x <= 5 || x > 5);
    return 0;
}
