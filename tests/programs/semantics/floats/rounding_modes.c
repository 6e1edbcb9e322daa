// models: lp64
// The direction of rounding is changed, asked for, saved and restored, and texts are read with it. What a compiler
// computes by itself is rounded to nearest. With -m32 gcc computes on the x87.
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double tenth = 0.1, third = 1.0 / 3.0, big = 1.7976931348623157e308, one = 1.0, ten = 10.0;
static float small = 0.1f;

static double divide(double x, double y) { return x / y; }

static void show(void) {
    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += tenth;
    printf("%a %a %a %a\n", sum, tenth * third, one / 3, divide(one, ten));
    printf("%a %a\n", small * small, small + 1e-10f);
    printf("%a %a %a\n", big * 2, -big * 2, tenth - tenth);
    printf("%a %a\n", 1.0 / 3.0, (float)0.1);
    float narrow = tenth;
    narrow += third;
    int wide = 16777217;
    printf("%a %a\n", narrow, (float)wide);
    const char *texts[] = {"0.1", "-0.1", "1e-400", "1e400", "-1e400", "3.14159265358979", "0x1.00000000000001p0"};
    for (int i = 0; i < 7; i++)
        printf("%a %a %La ", strtod(texts[i], 0), strtof(texts[i], 0), strtold(texts[i], 0));
    printf("%a\n", atof("0.3"));
    printf("%g %g %ld %lld\n", rint(2.5), nearbyint(-2.5), lrint(1.5), llrint(-1.5));
    printf("%.2f %.1f %.3e\n", 0.125, -0.25, 2.0005);
}

int main(void) {
    int directions[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int d = 0; d < 4; d++) {
        printf("%d %d\n", fesetround(directions[d]), fegetround() == directions[d]);
        show();
        fenv_t saved, held;
        fegetenv(&saved);
        fesetround(FE_UPWARD);
        printf("%d\n", feholdexcept(&held));
        fesetenv(FE_DFL_ENV);
        printf("%d\n", fegetround());
        fesetenv(&saved);
        printf("%d\n", fegetround() == directions[d]);
        feupdateenv(&held);
        printf("%d\n", fegetround() == FE_UPWARD);
        feclearexcept(FE_ALL_EXCEPT);
    }
    printf("%d\n", fesetround(12345) != 0);
    return 0;
}
