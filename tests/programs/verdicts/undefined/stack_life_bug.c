// expect: unknown
// strategies: auto, interpolation, bounded
// why: with the call its memory on the stack ends

extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int use(int *p) {
    *p = 5;
    return *p;
}

static int *get(void) {
    int *p = __builtin_alloca(sizeof(int));
    use(p);
    return p;
}

int main(void) {
    int *p = get();
    check(*p == 5);
    return 0;
}
