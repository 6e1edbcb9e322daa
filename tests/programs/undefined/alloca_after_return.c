// undefined: lifetime at 10:12
static int *leak(void) {
    int *p = __builtin_alloca(sizeof *p);
    *p = 0;
    return p;
}

int main(void) {
    int *p = leak();
    return *p;
}
