// models: lp64
// Every floating-point conversion of printf with flags, widths and precisions.
#include <stdio.h>

int main(void) {
    double values[] = {0, -0.0, 1, -1.5, 0.1, 123456.789, 1e-7, 9.9999995, 1e15, 1e21, 2.5, 3.5, 0.5, 1e308, 5e-324};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i];
        printf("[%f][%e][%g][%a]\n", v, v, v, v);
        printf("[%F][%E][%G][%A]\n", v, v, v, v);
        printf("[%.0f][%.1f][%.10f][%.0e][%.3e][%.1g][%.10g][%.17g]\n", v, v, v, v, v, v, v, v);
        printf("[%12.3f][%-12.3f][%012.3f][%+.2f][% .2f][%#.0f][%#g]\n", v, v, v, v, v, v, v);
        printf("[%12.4e][%-12.4g][%+g][%.3a]\n", v, v, v, v);
        printf("[%Lf][%Lg][%.3Le]\n", (long double)v, (long double)v, (long double)v);
    }
    double zero = 0;
    printf("[%f][%e][%g][%F][%5f][%-5f][%05f]\n", 1 / zero, -1 / zero, 1 / zero, 1 / zero, 1 / zero, 1 / zero, 1 / zero);
    printf("[%f][%g][%F]\n", __builtin_nan(""), __builtin_nan(""), __builtin_nan(""));
    printf("[%*.*f][%.*e]\n", 10, 2, 3.14159, 1, 31415.9);
    float f = 0.1f;
    printf("[%f][%.10f][%g]\n", f, f, f);
    printf("%.2f %.2f %.2f %.2f\n", 0.005, 0.015, 0.025, 1.005);
    printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 3.5);
    printf("%.30f\n", 0.1);
    printf("%.40g\n", 1e22);
    return 0;
}
