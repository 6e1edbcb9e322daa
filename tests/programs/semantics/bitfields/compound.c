// Compound assignments whose operands are bit-fields: both sides are promoted by their widths, not by
// the types that they are declared with.
#include <stdio.h>

static struct {
    long long wide : 53;
    unsigned long long middle : 40;
    unsigned long long narrow : 20;
    unsigned small : 9;
    long long sign : 35;
    unsigned long long wider : 54;
    unsigned short brief : 7;
} s;

static void reset(void) {
    s.wide = -653436261099884LL;
    s.middle = 65535;
    s.narrow = 65535;
    s.small = 77;
    s.sign = -3;
    s.wider = 65535;
    s.brief = 100;
}

#define SHOW(place, operator, value) \
    reset(); \
    printf("%lld ", (long long)(s.place operator value)); \
    printf("%lld\n", (long long)s.place);

#define ALL(operator) \
    SHOW(wide, operator, s.middle) \
    SHOW(wide, operator, s.narrow) \
    SHOW(wide, operator, s.small) \
    SHOW(wide, operator, s.wider) \
    SHOW(sign, operator, s.middle) \
    SHOW(sign, operator, s.narrow) \
    SHOW(small, operator, s.sign) \
    SHOW(middle, operator, s.sign) \
    SHOW(brief, operator, (s.narrow = 3)) \
    SHOW(wider, operator, -3)

int main(void) {
    ALL(/=)
    ALL(%=)
    ALL(&=)
    ALL(^=)
    int i = -7;
    reset();
    printf("%d\n", i /= s.narrow);
    i = -7;
    printf("%d\n", i /= s.middle);
    i = -7;
    printf("%d\n", i %= s.small);
    i = -7;
    printf("%d\n", i >>= (s.narrow = 1));
    signed char c = -100;
    printf("%d\n", c /= (0, s.narrow));
    long long l = -700000;
    printf("%lld\n", l /= s.middle);
    l = -700000;
    printf("%lld\n", l /= s.wider);
    unsigned u = 4000000000u;
    printf("%u\n", u /= s.sign);
    double d = -8.0;
    printf("%g\n", d *= s.narrow);
    return 0;
}
