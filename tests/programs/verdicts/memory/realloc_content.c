// expect: safe
// strategies: auto, bounded
// why: what realloc keeps is not modelled, so it is not known to be kept

extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int *p = malloc(2 * sizeof *p);
    p[0] = 1;
    p = realloc(p, 4 * sizeof *p);
    check(p[0] == 1);
    return 0;
}
