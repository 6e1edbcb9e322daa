// undefined: never set at 4:12
int main(void) {
    int x;
    return x;
}
