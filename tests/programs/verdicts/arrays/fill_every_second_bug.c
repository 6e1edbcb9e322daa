// expect: unsafe
// why: elements with an odd index are looked at

extern void reach_error(void);

int main(void) {
    int a[10];
    for (int i = 0; i < 10; i += 2)
        a[i] = 5;
    for (int j = 1; j < 10; j += 2)
        if (a[j] != 5)
            reach_error();
    return 0;
}
