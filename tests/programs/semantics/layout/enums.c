// Enumerations: values, the type of constants and of the enumeration itself.
#include <stdio.h>

enum plain { A, B, C = 10, D, E = 10, F };
enum negative { MINUS = -3, NEXT, ZERO_AT = NEXT + 2 };
enum big { BIG = 0x7fffffff };
enum unsigned_big { UBIG = 0x80000000u, SMALL = 1 };
enum wide { WIDE = 0x100000000LL, WIDER };
enum wide_negative { VERY_NEGATIVE = -0x100000000LL, POSITIVE = 5 };
enum __attribute__((packed)) tiny { TINY = 200 };
enum from_expressions { ONE = 1 << 3, TWO = sizeof(int), THREE = 'a', FOUR = ONE | TWO, FIVE = -(3 > 2) };

typedef enum { OFF, ON } toggle;

struct holder {
    enum plain p;
    enum negative n;
    toggle t;
};

static toggle flip(toggle t) { return t == ON ? OFF : ON; }

int main(void) {
    printf("%d %d %d %d %d %d\n", A, B, C, D, E, F);
    printf("%d %d %d\n", MINUS, NEXT, ZERO_AT);
    printf("%d %u %d\n", BIG, UBIG, SMALL);
    printf("%lld %lld\n", (long long)WIDE, (long long)WIDER);
    printf("%lld %d\n", (long long)VERY_NEGATIVE, (int)POSITIVE);
    printf("%d %d %d %d %d\n", ONE, TWO, THREE, FOUR, FIVE);
    printf("%d %d %d %d %d %d\n", (int)sizeof(enum plain), (int)sizeof(enum negative), (int)sizeof(enum wide),
           (int)sizeof(enum wide_negative), (int)sizeof(enum tiny), (int)sizeof(WIDE));
    // Without negative constants the type is unsigned.
    enum plain p = -1;
    enum negative n = -1;
    printf("%d %d\n", p > 0, n > 0);
    printf("%d %d\n", p / 2 == -1 / 2, n / 2);
    enum tiny t = TINY;
    t += 100;
    printf("%d\n", t);
    struct holder h = {D, MINUS, flip(OFF)};
    h.p++;
    h.n--;
    printf("%u %d %d\n", h.p, h.n, h.t);
    int counts[F] = {[B] = 4, [D - 1] = 9};
    printf("%d %d %d\n", counts[B], counts[10], (int)(sizeof counts / sizeof *counts));
    enum { LOCAL = 77 };
    {
        enum { LOCAL = 88 };
        printf("%d ", LOCAL);
    }
    printf("%d\n", LOCAL);
    switch (h.t) {
    case OFF:
        printf("off\n");
        break;
    case ON:
        printf("on\n");
        break;
    }
    printf("%d\n", _Generic(A, int: 1, unsigned: 2) * 10 + _Generic(UBIG, int: 1, unsigned: 2));
    printf("%d\n", _Generic(p, int: 1, unsigned: 2) * 10 + _Generic(n, int: 1, unsigned: 2));
    return 0;
}
