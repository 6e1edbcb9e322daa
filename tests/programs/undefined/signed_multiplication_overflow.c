// undefined: signed overflow at 5:12
// overflow: report
int main(void) {
    unsigned short a = 65535, b = 65535;
    return a * b == 1;
}
