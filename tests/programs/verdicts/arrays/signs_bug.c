// expect: unsafe
// why: zero has the wrong sign

extern void reach_error(void);

int main(void) {
    int a[4], sign[4];
    for (int i = 0; i < 4; i++) {
        if (a[i] > 0)
            sign[i] = 1;
        else
            sign[i] = -1;
    }
    int right = 1;
    for (int i = 0; i < 4; i++) {
        if (a[i] >= 0 && sign[i] < 0)
            right = 0;
        if (a[i] < 0 && sign[i] > 0)
            right = 0;
    }
    if (!right)
        reach_error();
    return 0;
}
