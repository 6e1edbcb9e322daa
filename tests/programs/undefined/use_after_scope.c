// undefined: lifetime at 8:12
int main(void) {
    int *p;
    {
        int x = 0;
        p = &x;
    }
    return *p;
}
