// expect: safe
// why: realloc keeps what was there

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
    p[1] = 2;
    p = realloc(p, 4 * sizeof *p);
    p[2] = 3;
    check(p[2] == 3);
    return 0;
}
