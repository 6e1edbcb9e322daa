// undefined: null pointer at 4:12
int main(void) {
    int x = 0, *p = 0;
    return *p;
}
