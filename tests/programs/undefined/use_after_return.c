// undefined: lifetime at 10:12
static int *leak(void) {
    int local = 0;
    int *p = &local;
    return p;
}

int main(void) {
    int *p = leak();
    return *p;
}
