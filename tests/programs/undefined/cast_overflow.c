// undefined: outside of at 5:12
int main(void) {
    short s[2] = {1, 2};
    long long *wide = (long long *)s;
    return *wide != 0;
}
