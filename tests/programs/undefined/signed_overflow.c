// undefined: signed overflow at 5:13
// overflow: report
int main(void) {
    int x = 2147483647;
    int y = x + 1;
    return y != 2147483647;
}
