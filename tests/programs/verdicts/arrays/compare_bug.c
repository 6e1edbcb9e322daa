// expect: unsafe
// why: a difference at the end is forgotten

extern void reach_error(void);

int main(void) {
    int a[5], b[5];
    int equal = 1;
    for (int i = 0; i < 5; i++)
        if (a[i] != b[i])
            equal = i == 4;
    if (equal)
        for (int j = 0; j < 5; j++)
            if (a[j] != b[j])
                reach_error();
    return 0;
}
