// expect: safe
// why: alignment, null and objects at one time are known of addresses

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
    int x;
    _Alignas(64) char wide;
    struct { char c; double d; } s;
    char *p = malloc(3), *q = malloc(5);
    check(ADDRESS(p) % 16 == 0 && (ADDRESS(q) & 15) == 0);
    check(ADDRESS(&x) % sizeof(int) == 0);
    check(ADDRESS(&wide) % 64 == 0);
    check(ADDRESS(&s.d) % 4 == 0);
    check(p != 0 && ADDRESS(p) != 0 && ADDRESS(&x) > 0);
    check(ADDRESS(&s.d) > ADDRESS(&s.c));
    check(p != q && p != (char *)&x && ADDRESS(p) != ADDRESS(q));
    check((char *)ADDRESS(p) == p);
    
    return 0;
}
