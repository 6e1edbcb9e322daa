// expect: safe
// strategies: auto, interpolation, bounded
// why: the memory is used before the call ends

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

static int get(void) {
    int *p = __builtin_alloca(sizeof(int));
    return use(p);
}

int main(void) {
    check(get() == 5);
    return 0;
}
