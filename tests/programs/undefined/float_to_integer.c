// undefined: does not fit into at 4:13
int main(void) {
    double d = 1e10;
    int i = d;
    return i < 0;
}
