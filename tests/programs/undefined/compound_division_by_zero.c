// undefined: division by zero at 4:5
int main(void) {
    int x = 10, y = 0;
    x /= y;
    return x;
}
