// expect: unsafe
// why: the first two elements are not compared

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[4];
    for (int i = 0; i < 4; i++) {
        a[i] = __VERIFIER_nondet_int();
        if (i > 1 && a[i] < a[i - 1])
            return 0;
    }
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (0 <= low && low < high && high < 4 && a[low] > a[high])
        reach_error();
    return 0;
}
