// expect: safe
// strategies: auto, interpolation, bounded
// why: one index runs three times as fast as the other

extern void reach_error(void);

int main(void) {
    int a[10000], b[10000];
    int i = 1, j = 0;
    while (i < 10000) {
        a[j] = b[i];
        i = i + 3;
        j = j + 1;
    }
    i = 1;
    j = 0;
    while (i < 10000) {
        if (a[j] != b[3 * j + 1])
            reach_error();
        i = i + 3;
        j = j + 1;
    }
    return 0;
}
