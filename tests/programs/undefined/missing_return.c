// undefined: never set at 10:12
static int f(int x) {
    if (x) {
        return 0;
    }
}

int main(void) {
    int r = f(0);
    return r;
}
