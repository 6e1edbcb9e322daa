// expect: safe
// strategies: auto, interpolation, bounded
// why: only elements with an even index are written and looked at

extern void reach_error(void);

int main(void) {
    int a[20000];
    for (int i = 0; i < 20000; i += 2)
        a[i] = 5;
    for (int j = 0; j < 20000; j += 2)
        if (a[j] != 5)
            reach_error();
    return 0;
}
