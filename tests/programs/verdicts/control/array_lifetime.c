// expect: safe
// check: use-after-free
// strategies: auto, bounded
// why: each time its declaration is reached there is a new variable-length array

extern void reach_error(void);

int main(void) {
    int n = 1, total = 0;
    int *p = 0;
again:
    ;
    int a[n];
    a[n - 1] = n;
    p = &a[n - 1];
    total += *p;
    if (n++ < 3)
        goto again;
    if (total != 6)
        reach_error();
    return 0;
}
