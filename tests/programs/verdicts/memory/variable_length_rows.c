// expect: safe
// strategies: auto, bounded
// why: rows of a variable-length array follow each other

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


static int corner(int n, int m[n][n]) {
    return m[n - 1][0];
}

int main(void) {
    int n = __VERIFIER_nondet_int() ? 2 : 3;
    int m[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            m[i][j] = 10 * i + j;
    check(corner(n, m) == 10 * (n - 1));
    return 0;
}
