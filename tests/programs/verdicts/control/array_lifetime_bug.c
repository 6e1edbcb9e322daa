// expect: unsafe
// check: use-after-free
// strategies: auto, bounded
// why: a jump back to before the declaration ends the life of a variable-length array

extern void reach_error(void);

int main(void) {
    int n = 1, total = 0;
    int *p = 0;
again:
    if (p)
        total += *p;
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
