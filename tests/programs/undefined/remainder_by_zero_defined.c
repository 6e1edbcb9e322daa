// expect: finished 0
int main(void) {
    unsigned long long x = 10, y = 5;
    x %= 4;
    return (int)(x % y) - 2;
}
