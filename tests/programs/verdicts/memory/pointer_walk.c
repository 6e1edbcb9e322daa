// expect: safe
// strategies: auto, bounded
// why: a pointer runs over an allocated array up to its end

extern void *malloc(unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int *start = malloc(4 * sizeof *start), *end = start + 4;
    int n = 0;
    for (int *p = start; p != end; p++)
        *p = n++;
    check(*(end - 1) == 3 && end - start == 4);
    return 0;
}
