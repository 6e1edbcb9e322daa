// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: each element is computed from the one before it

extern void reach_error(void);

int main(void) {
    int a[50000];
    a[0] = 7;
    for (int i = 1; i < 50000; i++)
        a[i] = a[i - 1] + 2;
    for (int j = 1; j < 50000; j++)
        if (a[j] <= a[j - 1])
            reach_error();
    return 0;
}
