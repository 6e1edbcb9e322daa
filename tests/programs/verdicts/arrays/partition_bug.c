// expect: unsafe
// why: the bound itself goes to the wrong side

extern void reach_error(void);

int main(void) {
    int all[4], small[4], large[4];
    int smalls = 0, larges = 0;
    for (int i = 0; i < 4; i++) {
        if (all[i] <= 10)
            small[smalls++] = all[i];
        else
            large[larges++] = all[i];
    }
    for (int j = 0; j < smalls; j++)
        if (small[j] >= 10)
            reach_error();
    for (int j = 0; j < larges; j++)
        if (large[j] < 10)
            reach_error();
    return 0;
}
