// expect: unsafe
// why: elements are copied from one place too early

extern void reach_error(void);

int main(void) {
    int a[8];
    for (int i = 0; i < 4; i++)
        a[i] = a[6 - i];
    for (int j = 0; j < 4; j++)
        if (a[j] != a[7 - j])
            reach_error();
    return 0;
}
