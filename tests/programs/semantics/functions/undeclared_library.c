// Functions of the library that are called without a declaration: gcc warns and knows their types.
extern int printf(const char *, ...);

int own(void);

int main(void) {
    double whole, half = modf(2.5, &whole);
    int exponent;
    printf("%g %g\n", half, whole);
    half = frexp(8, &exponent);
    printf("%g %d\n", half, exponent);
    printf("%g %g %g\n", sqrt(16), fmod(7, 4), ldexp(1, 5));
    printf("%ld %lld\n", lround(2.5), llround(-2.5));
    printf("%d %d\n", strncmp("abc", "abd", 2), strncasecmp("ABc", "abd", 2));
    printf("%g %g\n", __builtin_fmod(7, 4), __builtin_ldexp(1, 5));
    half = __builtin_modf(-3.25, &whole);
    printf("%g %g\n", half, whole);
    printf("%d %c\n", __builtin_strncasecmp("ABc", "abd", 2), __builtin_toupper('a'));
    printf("%d\n", own());
    return 0;
}

int own(void) {
    return 1;
}
