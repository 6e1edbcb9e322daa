// expect: finished 0
int main(void) {
    int x = 2;
    if (x == 1) {
        __builtin_unreachable();
    }
    return 0;
}
