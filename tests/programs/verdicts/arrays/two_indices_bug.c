// expect: unsafe
// why: the other index is computed wrongly

extern void reach_error(void);

int main(void) {
    int a[20], b[20];
    int i = 1, j = 0;
    while (i < 20) {
        a[j] = b[i];
        i = i + 3;
        j = j + 1;
    }
    i = 1;
    j = 0;
    while (i < 20) {
        if (a[j] != b[2 * j + 1])
            reach_error();
        i = i + 3;
        j = j + 1;
    }
    return 0;
}
