// models: lp64
// 128-bit integers, which gcc has only where registers are 64 bits wide.
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(const char *what, u128 value) {
    printf("%s %016llx%016llx\n", what, (unsigned long long)(value >> 64), (unsigned long long)value);
}

static u128 power(u128 base, unsigned exponent) {
    u128 result = 1;
    while (exponent--) {
        result *= base;
    }
    return result;
}

static void decimal(u128 value) {
    char digits[40];
    int at = 39;
    digits[at] = 0;
    do {
        digits[--at] = '0' + (int)(value % 10);
        value /= 10;
    } while (value);
    printf("%s\n", digits + at);
}

struct holder {
    char c;
    i128 value;
};

int main(void) {
    i128 a = -5;
    show("negative", a);
    show("sum", a + ((i128)1 << 100));
    show("product", (i128)0x123456789abcdef0LL * 0x0fedcba987654321LL);
    show("power", power(7, 40));
    decimal(power(3, 80));
    decimal(~(u128)0);
    show("quotient", power(7, 40) / 1000003);
    show("remainder", power(7, 40) % 1000003);
    i128 negative = -(i128)power(5, 50);
    show("signed quotient", negative / 1234567);
    show("signed remainder", negative % 1234567);
    show("shift right", negative >> 37);
    show("logical shift right", (u128)negative >> 37);
    show("shift left", negative << 5);
    show("shift far", (u128)1 << 127);
    show("complement", ~negative);
    show("xor", negative ^ power(11, 30));
    printf("%d %d %d\n", negative < 0, (u128)negative < 1, negative < -1LL);
    printf("%d %d\n", (i128)-1 < 0u, (i128)-1 < (u128)0);
    printf("%d %d %d\n", (int)sizeof(i128), (int)_Alignof(i128), (int)sizeof(struct holder));
    printf("%lld %d %d\n", (long long)negative, (int)negative, (signed char)negative);
    struct holder h = {1, -2};
    h.value *= h.value;
    h.value -= 10;
    h.value++;
    --h.value;
    h.value <<= 70;
    show("member", h.value);
    show("from unsigned", (i128)(unsigned)-1);
    show("from signed", (u128)-1);
    show("from double", (i128)1e30);
    printf("%.3f\n", (double)power(2, 90));
    printf("%.3f\n", (double)negative);
    switch ((int)(power(2, 100) >> 98)) {
    case 4:
        printf("four\n");
        break;
    default:
        printf("other\n");
    }
    _Bool b = (i128)1 << 64;
    printf("%d %d\n", b, !((i128)1 << 64));
    return 0;
}
