// expect: unknown
// strategies: auto, interpolation, bounded
// why: behind the end of the object nothing is kept

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
    p[1] = 5;
    check(p[1] == 5);
    free(p);
    return 0;
}
