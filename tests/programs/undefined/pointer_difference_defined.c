// expect: finished 0
int main(void) {
    int a[4], b[4];
    int *p = a, *q = a + 1;
    return q - p < 0;
}
