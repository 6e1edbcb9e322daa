// expect: finished 0
// overflow: report
int main(void) {
    int x = 2147483647;
    int y = x + 0;
    return y != 2147483647;
}
