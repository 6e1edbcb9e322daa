// undefined: outside of at 5:12
int main(void) {
    int a[3] = {1, 2, 3};
    int *p = a + 3;
    return *p - 3;
}
