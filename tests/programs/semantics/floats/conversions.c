// models: lp64
// Conversions between integer and floating types, within the range of the target.
#include <stdio.h>

#define TO(T, format, value) printf(#T " " format "\n", (T)(value))

static void from_double(double d) {
    TO(int, "%d", d);
    TO(unsigned short, "%d", d < 0 ? -d : d);
    TO(long, "%ld", d * 1000000);
    TO(long long, "%lld", d * 1e9);
    TO(unsigned long long, "%llu", d < 0 ? -d * 1e9 : d * 1e9);
    TO(float, "%.9g", d);
    TO(_Bool, "%d", d);
}

int main(void) {
    double samples[] = {0, 0.5, -0.5, 0.999, -0.999, 1.5, -1.5, 123.456, -123.456, 32767.9, 65535.25};
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        from_double(samples[i]);
    }
    printf("%.17g %.17g\n", (double)9007199254740993LL, (double)-9007199254740995LL);
    printf("%.9g %.9g %.9g\n", (float)16777217, (float)33554435, (float)2147483647);
    printf("%.17g %.17g\n", (double)18446744073709551615ULL, (double)9223372036854775807LL);
    printf("%.9g\n", (float)18446744073709551615ULL);
    printf("%.21Lg %.21Lg\n", (long double)18446744073709551615ULL, (long double)-9223372036854775807LL);
    printf("%llu\n", (unsigned long long)1.8e19);
    printf("%u\n", (unsigned)4294967295.0);
    printf("%d\n", (int)-2147483648.9);
    printf("%lld\n", (long long)-9223372036854775808.0);
    printf("%.9g %.9g\n", (float)0.1, (float)1e300);
    printf("%.9g\n", (float)1e-50);
    printf("%.17g\n", (double)0.1f);
    printf("%.17g %.17g\n", (double)(1.0L / 3), (double)(float)(1.0L / 3));
    unsigned char c = 3.99;
    short s = -2.5f;
    int i = 1e9;
    i += 0.75;
    printf("%d %d %d\n", c, s, i);
    float f = 16777217;
    double d = 3;
    d /= 2;
    i = d * f;
    printf("%d\n", i);
    printf("%d %d\n", (int)(0.1 + 0.7) * 10, (int)((0.1 + 0.7) * 10));
    printf("%g %g\n", 7 / 2 * 2.0, 7 / 2.0 * 2);
    char letter = 'a' + 1.5;
    printf("%c\n", letter);
    printf("%d\n", (1 ? 1 : 2.0) == 1);
    printf("%g\n", (double)(unsigned)-1 + (signed char)200);
    return 0;
}
