// undefined: division by zero at 6:12
static int zero = 0;

int main(void) {
    int x = 10;
    return x / zero - 2;
}
