// expect: safe
// strategies: auto
// why: two arrays with counters of their own

extern void reach_error(void);

int main(void) {
    int all[100000], small[100000], large[100000];
    int smalls = 0, larges = 0;
    for (int i = 0; i < 100000; i++) {
        if (all[i] < 10)
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
