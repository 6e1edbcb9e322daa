// undefined: zero bits of zero at 4:12
int main(void) {
    unsigned x = 0;
    return __builtin_clz(x) > 32;
}
