// expect: safe
// why: a matrix is walked as one row

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


static int m[2][3] = {{1, 2, 3}, {4, 5, 6}};

int main(void) {
    unsigned at = __VERIFIER_nondet_uint() % 6;
    int *p = &m[0][0];
    p[at] = 0;
    check(m[at / 3][at % 3] == 0);
    check(m[1][0] == 4 || at == 3);
    return 0;
}
