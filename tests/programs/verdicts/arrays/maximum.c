// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: no element is larger than the largest one so far

extern void reach_error(void);

int main(void) {
    int a[100000];
    int most = a[0];
    for (int i = 1; i < 100000; i++)
        if (a[i] > most)
            most = a[i];
    for (int j = 0; j < 100000; j++)
        if (a[j] > most)
            reach_error();
    return 0;
}
