// expect: unsafe
// why: the difference has the wrong sign

extern void reach_error(void);

int main(void) {
    int a[4], b[4], c[4];
    for (int i = 0; i < 4; i++)
        c[i] = b[i] - a[i];
    for (int j = 0; j < 4; j++)
        if (a[j] - c[j] != b[j])
            reach_error();
    return 0;
}
