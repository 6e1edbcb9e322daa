// expect: safe
// why: what a pointer to a pointer changes

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


static void advance(int **p) {
    ++*p;
}

int main(void) {
    int a[3] = {5, 6, 7};
    int *p = a;
    advance(&p);
    
    check(*p == 6);
    return 0;
}
