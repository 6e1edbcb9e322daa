// expect: safe
// why: memcpy to one of two members of an allocated object

extern void *malloc(unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


struct pair {
    int first, second;
};

int main(void) {
    struct pair *a = malloc(sizeof *a);
    a->first = 1;
    a->second = 2;
    int *p = __VERIFIER_nondet_int() ? &a->first : &a->second;
    int x = 7;
    memcpy(p, &x, sizeof x);
    check(a->first == 1 || a->second == 2);
    return 0;
}
