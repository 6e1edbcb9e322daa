// expect: unsafe
// why: one element is not looked at

extern void reach_error(void);

int main(void) {
    int a[6];
    int most = a[0];
    for (int i = 2; i < 6; i++)
        if (a[i] > most)
            most = a[i];
    for (int j = 0; j < 6; j++)
        if (a[j] > most)
            reach_error();
    return 0;
}
