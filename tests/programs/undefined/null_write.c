// undefined: null pointer at 4:5
int main(void) {
    int x, *p = (void *)0;
    *p = 1;
    return 0;
}
