// expect: finished 0
int main(void) {
    int x = 10, y = 20;
    x /= y;
    return x;
}
