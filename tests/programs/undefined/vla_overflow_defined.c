// expect: finished 0
int main(void) {
    int n = 5;
    int a[n];
    a[n - 1] = 1;
    return 0;
}
