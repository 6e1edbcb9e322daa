// expect: safe
// why: realloc to the size zero frees and returns null

extern void *malloc(unsigned long);
extern void *realloc(void *, unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int *p = malloc(sizeof *p);
    int *q = realloc(p, 0);
    check(q == 0);
    return 0;
}
