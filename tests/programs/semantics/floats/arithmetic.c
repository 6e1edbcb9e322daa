// models: lp64
// Arithmetic in float, double and long double. With -m32 gcc keeps results in x87 registers.
#include <float.h>
#include <math.h>
#include <stdio.h>

static float f_zero;
static double zero, one = 1.0, tenth = 0.1, big = 1e308, tiny = 5e-324;
static long double l_third = 1.0L / 3;

int main(void) {
    float f = 0.1f, g = 0.2f;
    printf("%.9g %.9g %.9g %.9g\n", f + g, f - g, f * g, f / g);
    printf("%.17g %.17g %.17g\n", tenth + 0.2, tenth * 3, one / 3);
    printf("%.17g\n", f + tenth);
    printf("%.21Lg %.21Lg\n", l_third, l_third * 3 + tenth);
    printf("%g %g %g\n", big * 10, -big * 10, tiny / 2);
    printf("%d %d\n", zero / zero != zero / zero, one / zero > big);
    printf("%g %g\n", one / -zero, -zero);
    printf("%d %d\n", zero == -zero, 1 / zero == 1 / -zero);
    double nan = zero / zero;
    printf("%d %d %d %d %d\n", nan == nan, nan < 1, nan > 1, nan != 1, !(nan <= 1));
    printf("%d %d\n", nan ? 1 : 0, -0.0 ? 1 : 0);
    printf("%.9g %.9g\n", FLT_MAX, FLT_MIN);
    printf("%.17g %.17g %g\n", DBL_MAX, DBL_MIN, DBL_EPSILON);
    printf("%d %d %d\n", FLT_DIG, DBL_DIG, LDBL_DIG);
    printf("%d %d %d\n", (int)sizeof(float), (int)sizeof(double), (int)sizeof(long double));
    printf("%.9g\n", 16777216.0f + 1.0f);
    printf("%.9g\n", (16777216.0f + 1.0f) + 1.0f);
    printf("%.17g\n", 9007199254740992.0 + 1.0);
    double sum = 0;
    for (int i = 1; i <= 1000; i++) {
        sum += 1.0 / i;
    }
    printf("%.17g\n", sum);
    float fsum = 0;
    for (int i = 1; i <= 1000; i++) {
        fsum += 1.0f / i;
    }
    printf("%.9g\n", fsum);
    double x = 2;
    for (int i = 0; i < 6; i++) {
        x = (x + 2 / x) / 2;
    }
    printf("%.17g\n", x);
    printf("%.9g %.9g\n", f_zero + 1e-45f, 1e38f * 10);
    printf("%a %a %a\n", 1.0, 0.1, -255.75);
    printf("%.17g %.17g\n", 0x1.8p3, 0x.1p-4);
    printf("%.17g %.9g\n", 1e23, 1.17549435e-38f);
    printf("%d %d\n", 0.1f == 0.1, 0.5f == 0.5);
    printf("%d %d %d\n", 1.5 < 2, 3 >= 3.0f, 2.5L > 2);
    x = -x;
    x += f;
    x *= 3;
    x -= 1.5L;
    printf("%.17g\n", x);
    return 0;
}
