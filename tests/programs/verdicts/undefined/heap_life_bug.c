// expect: unknown
// strategies: auto, interpolation, bounded
// why: freed memory may have any content

extern void *malloc(unsigned long size);
extern void free(void *pointer);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct pair {
    int first, second;
};

int main(void) {
    struct pair *p = malloc(sizeof(struct pair));
    p->second = 5;
    free(p);
    check(p->second == 5);
    return 0;
}
