// expect: finished 0
int main(void) {
    double d = 1e9;
    int i = d;
    return i < 0;
}
