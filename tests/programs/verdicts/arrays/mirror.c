// expect: safe
// strategies: auto, interpolation, bounded
// why: an index that runs down in the same loop

extern void reach_error(void);

int main(void) {
    int a[10000];
    for (int i = 0; i < 5000; i++)
        a[i] = a[9999 - i];
    for (int j = 0; j < 5000; j++)
        if (a[j] != a[9999 - j])
            reach_error();
    return 0;
}
