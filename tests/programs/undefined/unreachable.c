// undefined: unreachable at 5:9
int main(void) {
    int x = 1;
    if (x == 1) {
        __builtin_unreachable();
    }
    return 0;
}
