// undefined: quotient does not fit at 4:12
int main(void) {
    long long smallest = -9223372036854775807LL - 1, divisor = -1;
    return smallest % divisor != 0;
}
