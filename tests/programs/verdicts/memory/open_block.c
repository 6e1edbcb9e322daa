// expect: unknown
// strategies: auto, interpolation, bounded
// why: C leaves open where objects lie, and whether an address is used again

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

typedef __SIZE_TYPE__ size_t;
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), *reallocarray(void *, size_t, size_t);
void *aligned_alloc(size_t, size_t);
void free(void *);

#define ADDRESS(p) ((__UINTPTR_TYPE__)(p))

int main(void) {
    __UINTPTR_TYPE__ old;
    {
        int x = 1;
        old = ADDRESS(&x);
    }
    {
        int y = 2;
        check(old != ADDRESS(&y));
    }
    return 0;
}
