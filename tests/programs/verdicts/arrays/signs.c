// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: what is written depends on an element of another array

extern void reach_error(void);

int main(void) {
    int a[100000], sign[100000];
    for (int i = 0; i < 100000; i++) {
        if (a[i] >= 0)
            sign[i] = 1;
        else
            sign[i] = -1;
    }
    int right = 1;
    for (int i = 0; i < 100000; i++) {
        if (a[i] >= 0 && sign[i] < 0)
            right = 0;
        if (a[i] < 0 && sign[i] > 0)
            right = 0;
    }
    if (!right)
        reach_error();
    return 0;
}
