// expect: safe
// why: memory from malloc keeps what is stored in it

extern void *malloc(unsigned long);
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 3;
    check(*p == 3);
    return 0;
}
