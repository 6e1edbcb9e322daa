// models: lp64
// Functions of math.h that are defined to the last bit, in all directions of rounding. With -m32 gcc computes on the x87.
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <stdio.h>

static double doubles[] = {0.0,    -0.0, 0.5, -0.5, 1.0,   1.5,   2.5,    -2.5,     0.1,    -0.3,     10.0,
                           7.25,   1e15 + 0.5, 4503599627370497.5, 1e300, -1e300, 5e-324, 2.2250738585072014e-308,
                           1.7976931348623157e308, 0.49999999999999994, INFINITY, -INFINITY, NAN};
static float floats[] = {0.0f,       -0.0f, 1.5f,  2.5f,         0.1f,  3.0f,     8388609.0f,
                         1e-45f, 3.4028235e38f, -1.0f, INFINITY, NAN, 0.49999997f};
static long double longs[] = {0.0L,       -0.0L,      2.5L,  0.1L, 3.0L, 9223372036854775809.5L, 3.6e-4951L,
                              1.18973149535723176502e+4932L, -1.0L, INFINITY, NAN, 1e1000L};

#define COUNT(a) (int)(sizeof a / sizeof *a)
// glibc gives negative zeros when rounding downwards.
#define unsigned_zero(x) ((x) == 0 ? 0 : (x))
#define FINITE(x) ((x) - (x) == 0)

#define ONE(S, A, P)                                                                                                   \
    for (int i = 0; i < COUNT(A); i++) {                                                                               \
        printf(P " " P " " P " " P " " P " ", floor##S(A[i]), ceil##S(A[i]), trunc##S(A[i]), round##S(A[i]),           \
               roundeven##S(A[i]));                                                                                    \
        printf(P " " P " " P " " P " " P "\n", rint##S(A[i]), nearbyint##S(A[i]), sqrt##S(A[i]), fabs##S(A[i]),        \
               logb##S(A[i]));                                                                                         \
        printf("%d %d\n", ilogb##S(A[i]), fpclassify(A[i]));                                                           \
        if (FINITE(A[i])) {                                                                                            \
            int e;                                                                                                     \
            printf(P " ", frexp##S(A[i], &e));                                                                         \
            printf("%d\n", e);                                                                                         \
        }                                                                                                              \
        if (fabs##S(A[i]) < 9e18)                                                                                      \
            printf("%ld %ld %lld %lld\n", lround##S(A[i]), lrint##S(A[i]), llround##S(A[i]), llrint##S(A[i]));         \
        for (int k = -2200; k <= 2200; k += 365)                                                                       \
            printf(P " " P " ", scalbn##S(A[i], k), ldexp##S(A[i], 16 * k));                                           \
        printf("\n");                                                                                                  \
    }

#define TWO(S, A, P)                                                                                                   \
    for (int i = 0; i < COUNT(A); i++)                                                                                 \
        for (int j = 0; j < COUNT(A); j++) {                                                                           \
            printf(P " " P " " P " ", fmod##S(A[i], A[j]), unsigned_zero(remainder##S(A[i], A[j])), nextafter##S(A[i], A[j]));        \
            printf(P " " P " " P "\n", fdim##S(A[i], A[j]), copysign##S(A[i], A[j]), nexttoward##S(A[i], A[j]));       \
            if (A[i] != 0 || A[j] != 0)                                                                                \
                printf(P " " P "\n", fmin##S(A[i], A[j]), fmax##S(A[i], A[j]));                                        \
            if (FINITE(A[i]) && A[j] == A[j] && A[j] != 0) {                                                           \
                int q;                                                                                                 \
                printf(P " ", unsigned_zero(remquo##S(A[i], A[j], &q)));                                                            \
                printf("%d\n", q);                                                                                     \
            }                                                                                                          \
            printf(P " " P " " P " " P "\n", A[i] + A[j], A[i] - A[j], A[i] * A[j], A[i] / A[j]);                      \
            for (int k = 0; k < COUNT(A); k += 4)                                                                      \
                printf(P " ", fma##S(A[i], A[j], A[k]));                                                               \
            printf("\n");                                                                                              \
        }

static void conversions(void) {
    for (int i = 0; i < COUNT(doubles); i++) {
        volatile float narrow = doubles[i];
        double whole;
        printf("%a %a ", narrow, modf(doubles[i], &whole));
        printf("%a\n", whole);
    }
    for (int i = 0; i < COUNT(longs); i++) {
        volatile float narrow = longs[i];
        volatile double wider = longs[i];
        printf("%a %a\n", narrow, wider);
    }
    static long long integers[] = {0, 16777217, -16777217, 9007199254740993, -9007199254740993, 9223372036854775807};
    for (int i = 0; i < COUNT(integers); i++) {
        volatile float single = integers[i], natural = (unsigned long long)integers[i];
        volatile double wide = integers[i];
        volatile int small = integers[i];
        volatile float smaller = small;
        printf("%a %a %a %a\n", single, natural, wide, smaller);
    }
}

static void decimals(void) {
    for (int i = 0; i < COUNT(doubles); i++)
        if (FINITE(doubles[i]))
            printf("%.3f %.0f %.5e %g %.2g %.3a %f\n", doubles[i], doubles[i], doubles[i], doubles[i], doubles[i],
                   doubles[i], doubles[i] / 3);
}

int main(void) {
    int directions[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int d = 0; d < 4; d++) {
        printf("%d\n", fesetround(directions[d]));
        ONE(, doubles, "%a")
        ONE(f, floats, "%a")
        ONE(l, longs, "%La")
        TWO(, doubles, "%a")
        TWO(f, floats, "%a")
        TWO(l, longs, "%La")
        conversions();
        decimals();
    }
    return 0;
}
