// expect: finished 0
int main(void) {
    int smallest = -2147483647 - 1, divisor = -2;
    int q = smallest / divisor;
    return q == 0;
}
