// expect: safe
// why: up to a size that objects can have, allocation succeeds

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

typedef __SIZE_TYPE__ size_t;
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), *reallocarray(void *, size_t, size_t);
void *aligned_alloc(size_t, size_t);
void free(void *);

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    size_t n = __VERIFIER_nondet_ulong();
    if (n == 0 || n > (size_t)-1 >> 1)
        return 0;
    char *p = malloc(n);
    check(p != 0);
    char *q = realloc(p, n);
    check(q != 0);
    return 0;
}
