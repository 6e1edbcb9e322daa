// expect: finished 0
int main(void) {
    int a[3] = {1, 2, 3};
    int *p = a + 2;
    return *p - 3;
}
