// expect: safe
// why: memory of alloca lives until the function returns

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


static int sum(int n) {
    int *p = __builtin_alloca(3 * sizeof *p);
    for (int i = 0; i < 3; i++)
        p[i] = n + i;
    return p[0] + p[1] + p[2];
}

int main(void) {
    check(sum(4) == 15);
    return 0;
}
