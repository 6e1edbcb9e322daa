// expect: unknown
// why: an index beyond the array is undefined, and only then there is a violation, which no proof should hide

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int a[1025];

int main(void) {
    int j = __VERIFIER_nondet_int();
    a[j] = 1;
    if (j >= 1025)
        reach_error();
    return 0;
}
