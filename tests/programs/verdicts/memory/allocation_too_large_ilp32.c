// expect: safe
// data-model: ilp32
// why: more than an object can have is null, and realloc leaves the old object

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

typedef __SIZE_TYPE__ size_t;
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), *reallocarray(void *, size_t, size_t);
void *aligned_alloc(size_t, size_t);
void free(void *);

int main(void) {
    int kept = 5;
    int *old = malloc(sizeof(int));
    *old = kept;
    check(malloc(-1) == 0);
    check(malloc(((size_t)-1 >> 1) + 1) == 0);
    check(calloc(-1, 16) == 0);
    check(calloc((size_t)1 << (sizeof(size_t) * 4), (size_t)1 << (sizeof(size_t) * 4)) == 0);
    check(aligned_alloc(16, -16) == 0);
    check(realloc(old, -1) == 0);
    check(reallocarray(old, -1, 2) == 0);
    check(*old == 5);
    free(old);
    return 0;
}
