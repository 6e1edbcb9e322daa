// expect: safe
// why: memory that is never accessed is allocated all the same

extern void *malloc(unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    check(p != 0 && p != q && q != 0);
    return 0;
}
