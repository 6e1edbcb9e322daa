// expect: unsafe
// why: the first element changes before the others are computed from it

extern void reach_error(void);

int main(void) {
    int a[7];
    for (int i = 0; i < 7; i++)
        a[i] = 3;
    for (int i = 0; i < 7; i++)
        a[i] = a[0] + 1;
    for (int j = 0; j < 7; j++)
        if (a[j] != 4)
            reach_error();
    return 0;
}
