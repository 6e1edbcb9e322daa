// undefined: quotient does not fit at 4:13
int main(void) {
    int smallest = -2147483647 - 1, divisor = -1;
    int q = smallest / divisor;
    return q == 0;
}
