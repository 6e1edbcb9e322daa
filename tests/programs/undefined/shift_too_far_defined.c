// expect: finished 0
int main(void) {
    unsigned x = 1;
    int by = 31;
    return (x << by) == 0;
}
