// expect: finished 0
int main(void) {
    long long x = 1;
    int by = 1;
    return (x >> by) != 0;
}
