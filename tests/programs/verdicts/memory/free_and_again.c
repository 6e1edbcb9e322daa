// expect: safe
// why: memory that is allocated after free is new

extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    int *q = malloc(sizeof *q);
    *q = 2;
    int *r = malloc(sizeof *r);
    *r = 3;
    check(*q + *r == 5);
    free(q);
    free(r);
    return 0;
}
