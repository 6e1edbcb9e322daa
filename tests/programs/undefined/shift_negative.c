// undefined: shift of a value with 64 bits by -1 at 5:13
int main(void) {
    long long x = 1;
    int by = -1;
    return (x >> by) != 0;
}
