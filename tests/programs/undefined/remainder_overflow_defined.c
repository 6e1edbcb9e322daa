// expect: finished 0
int main(void) {
    long long smallest = -9223372036854775807LL, divisor = -1;
    return smallest % divisor != 0;
}
