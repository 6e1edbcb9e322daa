// expect: unsafe
// strategies: auto, interpolation, bounded
// why: new memory has any content

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
    if (i != 0)
        return 0;
    p[i] = 5;
    int x = p[i];
    check(x < 5);
    return 0;
}
