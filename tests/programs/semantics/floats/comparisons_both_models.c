// Exact floating-point values only, so that excess precision makes no difference.
#include <stdio.h>

static double half(double x) { return x / 2; }
static float quarter(float x) { return x / 4; }

struct sample {
    float f;
    double d;
};

static struct sample scale(struct sample s, int n) {
    s.f *= n;
    s.d /= n;
    return s;
}

int main(void) {
    double d = 3;
    float f = 1.5f;
    printf("%g %g %g\n", half(d), quarter(f), half(quarter(8)));
    printf("%g %g\n", d + f, d * f - 1);
    printf("%d %d %d %d\n", d > f, d == 2 * f, f != 1.5, d <= 3);
    d++;
    --f;
    printf("%g %g\n", d, f);
    d -= f;
    f += d;
    printf("%g %g %d %d\n", d, f, (int)d, (int)-f);
    struct sample s = scale((struct sample){1.25f, 8}, 4);
    printf("%g %g\n", s.f, s.d);
    double array[4] = {1, 2.5, [3] = -4};
    double total = 0;
    for (int i = 0; i < 4; i++) {
        total += array[i] * (i + 1);
    }
    printf("%g\n", total);
    printf("%f %e %g %.0f %.3f\n", 1234.5, 1234.5, 1234.5, 2.5, -0.0625);
    printf("%g %g %g\n", 1e10, 1e-5, 100000.0);
    printf("%g %g\n", 1000000.0, 123456789.0);
    printf("%8.2f|%-8.2f|%+.1f|%08.3f\n", 3.25, 3.25, 3.25, -3.25);
    long double ld = 2.5L;
    ld *= 3;
    printf("%Lg %.2Lf\n", ld, ld / 4);
    unsigned u = 7.75;
    printf("%u %d\n", u, (int)(u / 2 + 0.5));
    if (d && !0.0) {
        printf("true\n");
    }
    return 0;
}
