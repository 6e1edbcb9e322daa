// undefined: shift of a value with 32 bits by at 5:13
int main(void) {
    unsigned x = 1;
    int by = 32;
    return (x << by) == 0;
}
