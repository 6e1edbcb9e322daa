// expect: safe
// strategies: auto, interpolation, bounded
// why: the loop goes down, so elements from the counter on are written

extern void reach_error(void);

int main(void) {
    int a[5000];
    int i = 4999;
    while (i >= 0) {
        a[i] = -1;
        i--;
    }
    for (int j = 0; j < 5000; j++)
        if (a[j] != -1)
            reach_error();
    return 0;
}
