// undefined: points to no object at 5:12
int main(void) {
    int x = 0;
    int *p = (int *)(0x12345678);
    return *p;
}
