// undefined: shift of a value with 32 bits by 40 at 5:5
int main(void) {
    unsigned char x = 1;
    long long by = 40;
    x <<= by;
    return x;
}
