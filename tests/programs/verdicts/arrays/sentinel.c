// expect: safe
// strategies: auto, interpolation, bounded
// why: a loop without bound ends where an element was put

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[100000];
    int end = __VERIFIER_nondet_int();
    if (end < 0 || end >= 100000)
        return 0;
    a[end] = 99;
    int i = 0;
    while (a[i] != 99)
        i++;
    if (i > end)
        reach_error();
    return 0;
}
