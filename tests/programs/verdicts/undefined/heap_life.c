// expect: safe
// strategies: auto, interpolation, bounded
// why: the object is freed after its last use

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
    check(p->second == 5);
    free(p);
    return 0;
}
