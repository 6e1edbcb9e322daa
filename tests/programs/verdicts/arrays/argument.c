// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: a function fills the array that its argument points to

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void fill(int *array, int count, int value) {
    for (int i = 0; i < count; i++)
        array[i] = value;
}

int main(void) {
    int a[5000];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5000)
        return 0;
    fill(a, n, 3);
    for (int j = 0; j < n; j++)
        if (a[j] != 3)
            reach_error();
    return 0;
}
