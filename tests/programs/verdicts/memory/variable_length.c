// expect: safe
// why: an array whose length is an input

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}


int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 4)
        return 0;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    check(a[n - 1] == n - 1);
    return 0;
}
