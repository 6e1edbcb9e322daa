// undefined: different objects at 5:12
int main(void) {
    int a[4], b[4];
    int *p = a, *q = b;
    return q - p < 0;
}
