// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: three arrays, related element by element

extern void reach_error(void);

int main(void) {
    int a[50000], b[50000], c[50000];
    for (int i = 0; i < 50000; i++)
        c[i] = a[i] - b[i];
    for (int j = 0; j < 50000; j++)
        if (a[j] - c[j] != b[j])
            reach_error();
    return 0;
}
