// expect: finished 0
static int zero(int i) { return 0; }

int main(void) {
    int (*f)(int) = (int (*)(int))zero;
    return f(1);
}
