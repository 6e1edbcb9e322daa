// expect: safe
// why: objects may be larger than the memory of the machine that checks

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

typedef __SIZE_TYPE__ size_t;
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t), *reallocarray(void *, size_t, size_t);
void *aligned_alloc(size_t, size_t);
void free(void *);

static char large[2400000000u];

int main(void) {
    char *p = malloc(1ul << 40);
    check(large[2399999999u] == 0);
    large[2399999999u] = 3;
    p[1ul << 39] = 4;
    check(large[2399999999u] + p[1ul << 39] == 7);
    free(p);
    return 0;
}
