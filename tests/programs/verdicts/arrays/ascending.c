// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: two indices: the elements so far are in order

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[1000];
    for (int i = 0; i < 1000; i++) {
        a[i] = __VERIFIER_nondet_int();
        if (i > 0 && a[i] < a[i - 1])
            return 0;
    }
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (0 <= low && low < high && high < 1000 && a[low] > a[high])
        reach_error();
    return 0;
}
