// undefined: call through a null pointer at 6:12
static int zero(void) { return 0; }

int main(void) {
    int (*f)(void) = 0;
    return f();
}
