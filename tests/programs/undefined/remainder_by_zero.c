// undefined: division by zero at 5:18
int main(void) {
    unsigned long long x = 10, y = 0;
    x %= 4;
    return (int)(x % y) - 2;
}
