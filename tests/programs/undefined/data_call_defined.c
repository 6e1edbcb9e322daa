// expect: finished 0
static int zero(void) { return 0; }
static int data[4];

int main(void) {
    int (*f)(void) = (int (*)(void))zero;
    return f();
}
