// expect: finished 0
static int f(int x) {
    if (x) {
        return 0;
    }
}

int main(void) {
    int r = f(1);
    return r;
}
