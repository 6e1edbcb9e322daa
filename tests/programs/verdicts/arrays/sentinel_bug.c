// expect: unsafe
// why: the loop may end earlier

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[10];
    int end = __VERIFIER_nondet_int();
    if (end < 0 || end >= 10)
        return 0;
    a[end] = 99;
    int i = 0;
    while (a[i] != 99)
        i++;
    if (i < end)
        reach_error();
    return 0;
}
