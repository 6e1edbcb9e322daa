// Division truncates towards zero and the remainder has the sign of the dividend.
#include <limits.h>
#include <stdio.h>

#define DIVIDE(name, T)                                                                      \
    static void name(T a, T b) {                                                             \
        T q = a, r = a;                                                                      \
        q /= b;                                                                              \
        r %= b;                                                                              \
        printf("%s: %lld %lld, %lld %lld\n", #T, (long long)(a / b), (long long)(a % b),     \
               (long long)q, (long long)r);                                                  \
    }

DIVIDE(divide_schar, signed char)
DIVIDE(divide_uchar, unsigned char)
DIVIDE(divide_short, short)
DIVIDE(divide_ushort, unsigned short)
DIVIDE(divide_int, int)
DIVIDE(divide_uint, unsigned)
DIVIDE(divide_long, long)
DIVIDE(divide_ulong, unsigned long)
DIVIDE(divide_llong, long long)
DIVIDE(divide_ullong, unsigned long long)

int main(void) {
    long long left[] = {0, 1, -1, 7, -7, 100, -100, 12345678901234LL, -12345678901234LL};
    long long right[] = {1, 2, -2, 3, -3, 7, -7, 99, -101};
    for (unsigned i = 0; i < sizeof left / sizeof *left; i++) {
        for (unsigned j = 0; j < sizeof right / sizeof *right; j++) {
            divide_schar(left[i], right[j]);
            divide_uchar(left[i], right[j]);
            divide_short(left[i], right[j]);
            divide_ushort(left[i], right[j]);
            divide_int(left[i], right[j]);
            divide_uint(left[i], right[j]);
            divide_long(left[i], right[j]);
            divide_ulong(left[i], right[j]);
            divide_llong(left[i], right[j]);
            divide_ullong(left[i], right[j]);
        }
    }
    int smallest = INT_MIN;
    printf("%d %d\n", smallest / 2, smallest % 10);
    printf("%u\n", smallest / 2u);
    signed char c = -128, minus_one = -1;
    printf("%d %d\n", c / minus_one, (signed char)(c / minus_one));
    c /= minus_one;
    printf("%d\n", c);
    printf("%lld\n", LLONG_MIN / 3);
    printf("%llu\n", -1LL / 10ULL);
    printf("%u\n", -10 / 3u);
    printf("%d\n", (unsigned short)65535 / -2);
    return 0;
}
