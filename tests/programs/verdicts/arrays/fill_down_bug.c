// expect: unsafe
// why: the first element is not written

extern void reach_error(void);

int main(void) {
    int a[6];
    int i = 5;
    while (i > 0) {
        a[i] = -1;
        i--;
    }
    for (int j = 0; j < 6; j++)
        if (a[j] != -1)
            reach_error();
    return 0;
}
