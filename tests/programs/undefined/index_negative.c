// undefined: outside of at 4:5
int main(void) {
    int a[4] = {0}, i = -1;
    a[i] = 7;
    return 0;
}
