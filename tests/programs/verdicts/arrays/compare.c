// expect: safe
// strategies: auto, interpolation; bounded = unknown
// why: the flag says that all elements so far are equal

extern void reach_error(void);

int main(void) {
    int a[100000], b[100000];
    int equal = 1;
    for (int i = 0; i < 100000; i++)
        if (a[i] != b[i])
            equal = 0;
    if (equal)
        for (int j = 0; j < 100000; j++)
            if (a[j] != b[j])
                reach_error();
    return 0;
}
