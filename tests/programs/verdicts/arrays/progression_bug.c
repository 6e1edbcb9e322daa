// expect: unsafe
// why: the last elements are equal

extern void reach_error(void);

int main(void) {
    int a[6];
    a[0] = 7;
    for (int i = 1; i < 6; i++)
        a[i] = a[i - 1] + (i < 4 ? 2 : 0);
    for (int j = 1; j < 6; j++)
        if (a[j] <= a[j - 1])
            reach_error();
    return 0;
}
