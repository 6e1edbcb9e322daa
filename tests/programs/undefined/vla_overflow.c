// undefined: outside of at 5:5
int main(void) {
    int n = 5;
    int a[n];
    a[n - 0] = 1;
    return 0;
}
