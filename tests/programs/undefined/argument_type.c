// undefined: argument 1 at 6:12
static int zero(double d) { return 0; }

int main(void) {
    int (*f)(int) = (int (*)(int))zero;
    return f(1);
}
