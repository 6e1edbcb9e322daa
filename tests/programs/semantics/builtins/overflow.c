// __builtin_*_overflow: the wrapped result and whether it is wrong, for all type mixes.
#include <limits.h>
#include <stdio.h>

#define TRY(op, a, b, R)                                                        \
    {                                                                           \
        R r;                                                                    \
        int wrong = __builtin_##op##_overflow(a, b, &r);                        \
        printf("%s(%s, %s) -> %s: %d %lld\n", #op, #a, #b, #R, wrong, (long long)r); \
    }

int main(void) {
    int max = INT_MAX, min = INT_MIN, minus = -1;
    unsigned umax = UINT_MAX;
    long long llmax = LLONG_MAX, llmin = LLONG_MIN;
    unsigned long long ullmax = ULLONG_MAX;
    signed char c = 100;
    TRY(add, max, 1, int)
    TRY(add, max, 1, long long)
    TRY(add, max, 1, unsigned)
    TRY(add, minus, 1u, unsigned)
    TRY(add, umax, 1, unsigned)
    TRY(add, umax, minus, int)
    TRY(add, c, c, signed char)
    TRY(add, c, c, unsigned char)
    TRY(add, llmax, 1, long long)
    TRY(add, llmax, 1, unsigned long long)
    TRY(add, ullmax, minus, unsigned long long)
    TRY(add, llmin, ullmax, long long)
    TRY(sub, min, 1, int)
    TRY(sub, 0, 1u, unsigned)
    TRY(sub, 0u, 1u, int)
    TRY(sub, llmin, 1, long long)
    TRY(sub, 0, min, int)
    TRY(sub, 0, min, long long)
    TRY(sub, 5, 10, unsigned char)
    TRY(mul, max, 2, int)
    TRY(mul, max, 2, unsigned)
    TRY(mul, min, minus, int)
    TRY(mul, min, minus, unsigned)
    TRY(mul, llmax, 2, long long)
    TRY(mul, llmax, 2, unsigned long long)
    TRY(mul, ullmax, ullmax, unsigned long long)
    TRY(mul, umax, umax, unsigned long long)
    TRY(mul, minus, ullmax, long long)
    TRY(mul, c, c, short)
    TRY(mul, c, c, signed char)
    int r;
    printf("%d ", __builtin_sadd_overflow(max, max, &r));
    printf("%d\n", r);
    unsigned ur;
    printf("%d ", __builtin_usub_overflow(1u, 2u, &ur));
    printf("%u\n", ur);
    long lr;
    printf("%d ", __builtin_smull_overflow(LONG_MAX, 2L, &lr));
    printf("%ld\n", lr);
    unsigned long long ullr;
    printf("%d ", __builtin_umulll_overflow(ullmax, 3ULL, &ullr));
    printf("%llu\n", ullr);
    return 0;
}
