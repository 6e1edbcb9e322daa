// expect: finished 0
int main(void) {
    int x, *p = &x;
    *p = 1;
    return 0;
}
