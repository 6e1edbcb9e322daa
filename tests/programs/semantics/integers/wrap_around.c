// Unsigned arithmetic is modular; with -fwrapv signed arithmetic wraps as well.
#include <limits.h>
#include <stdio.h>

static int int_max = INT_MAX, int_min = INT_MIN;
static unsigned uint_max = UINT_MAX;
static long long llong_max = LLONG_MAX, llong_min = LLONG_MIN;
static unsigned long long ullong_max = ULLONG_MAX;
static long long_max = LONG_MAX, long_min = LONG_MIN;
static unsigned long ulong_max = ULONG_MAX;

int main(void) {
    printf("%d %d %d\n", int_max + 1, int_min - 1, int_max * 2);
    printf("%d %d %d\n", -int_min, int_min * -1, int_max * int_max);
    printf("%u %u %u %u\n", uint_max + 1, 0u - 1, uint_max * uint_max, -1u);
    printf("%lld %lld %lld\n", llong_max + 1, llong_min - 1, llong_max * 3);
    printf("%lld %lld\n", -llong_min, llong_max * llong_max);
    printf("%llu %llu %llu\n", ullong_max + 1, 0ull - 1, ullong_max * ullong_max);
    printf("%ld %ld %ld\n", long_max + 1, long_min - 1, long_max * long_max);
    printf("%lu %lu\n", ulong_max + 1, ulong_max * 7);

    signed char c = 100;
    c += 100;
    printf("%d ", c);
    c *= 3;
    printf("%d ", c);
    c = -128;
    c = -c;
    printf("%d\n", c);
    short s = 32767;
    s++;
    printf("%d ", s);
    s *= s;
    printf("%d\n", s);
    unsigned short u = 65535;
    u *= u;
    printf("%d ", u);
    u = 0;
    u--;
    printf("%d ", u);
    u += 2;
    printf("%d\n", u);
    // 65535 * 65535 is computed in int and wraps there.
    unsigned short big = 65535;
    printf("%d\n", big * big);
    int i = int_max;
    i++;
    printf("%d ", i);
    i--;
    printf("%d ", i);
    i += int_max;
    printf("%d ", i);
    i -= int_min;
    printf("%d ", i);
    i <<= 1;
    printf("%d\n", i);
    long long sum = 0;
    for (int k = 0; k < 70; k++) {
        sum = sum * 1103515245 + 12345 - k * 1000003LL * 1000003LL * 1000003LL;
    }
    printf("%lld\n", sum);
    unsigned hash = 2166136261u;
    for (const char *p = "wrap around"; *p; p++) {
        hash = (hash ^ *p) * 16777619u;
    }
    printf("%u\n", hash);
    return 0;
}
