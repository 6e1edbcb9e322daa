// undefined: does not point to a function at 7:12
static int zero(void) { return 0; }
static int data[4];

int main(void) {
    int (*f)(void) = (int (*)(void))data;
    return f();
}
