// Comparisons between signed and unsigned operands of different widths.
#include <stdio.h>

#define COMPARE(name, T, U)                                                                \
    static void name(long long x, long long y) {                                           \
        T a = (T)x;                                                                        \
        U b = (U)y;                                                                        \
        printf("%d%d%d%d%d%d ", a < b, a <= b, a > b, a >= b, a == b, a != b);             \
    }

COMPARE(int_uint, int, unsigned)
COMPARE(uint_int, unsigned, int)
COMPARE(schar_uint, signed char, unsigned)
COMPARE(uchar_int, unsigned char, int)
COMPARE(short_ushort, short, unsigned short)
COMPARE(long_uint, long, unsigned)
COMPARE(int_ulong, int, unsigned long)
COMPARE(llong_uint, long long, unsigned)
COMPARE(llong_ulong, long long, unsigned long)
COMPARE(llong_ullong, long long, unsigned long long)
COMPARE(int_llong, int, long long)
COMPARE(bool_int, _Bool, int)

int main(void) {
    long long samples[] = {0, 1, -1, 255, -128, 65535, 0x7fffffff, 0x80000000LL, -0x80000000LL,
                           0xffffffffLL, 0x7fffffffffffffffLL};
    int n = sizeof samples / sizeof *samples;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int_uint(samples[i], samples[j]);
            uint_int(samples[i], samples[j]);
            schar_uint(samples[i], samples[j]);
            uchar_int(samples[i], samples[j]);
            short_ushort(samples[i], samples[j]);
            long_uint(samples[i], samples[j]);
            int_ulong(samples[i], samples[j]);
            llong_uint(samples[i], samples[j]);
            llong_ulong(samples[i], samples[j]);
            llong_ullong(samples[i], samples[j]);
            int_llong(samples[i], samples[j]);
            bool_int(samples[i], samples[j]);
            printf("\n");
        }
    }
    printf("%d %d\n", -1 < 0u, -1 < sizeof(int));
    printf("%d %d\n", (3 > 2) > 1, 3 > (2 > 1));
    printf("%d\n", (int)sizeof(1LL < 2LL));
    printf("%d %d\n", -1 == 0xffffffffu, -1LL == 0xffffffffu);
    return 0;
}
