// `a op= b` computes in the common type and converts back.
#include <stdio.h>

int main(void) {
    char c = 10;
    c += 3.7;
    printf("%d ", c);
    c -= 0.5;
    printf("%d ", c);
    c *= 1.5f;
    printf("%d\n", c);
    int i = 7;
    i /= 0.5;
    printf("%d ", i);
    i *= 2.25;
    printf("%d ", i);
    i -= 10LL;
    printf("%d ", i);
    i += 4294967295u;
    printf("%d ", i);
    i %= 5u;
    printf("%d\n", i);

    unsigned char uc = 0xf0;
    int n = 3;
    uc <<= n;
    printf("%d ", uc);
    uc = 0xf0;
    uc >>= n;
    printf("%d ", uc);
    uc -= 100;
    printf("%d ", uc);
    uc = ~uc;
    printf("%d ", uc);
    uc ^= -1;
    printf("%d ", uc);
    uc /= -1;
    printf("%d\n", uc);

    signed char sc = -100;
    sc /= 3u;
    printf("%d ", sc);
    sc = -100;
    sc %= 7;
    printf("%d ", sc);
    sc >>= 1;
    printf("%d ", sc);
    sc |= 0x80;
    printf("%d\n", sc);

    unsigned u = 5;
    u -= 10;
    printf("%u ", u);
    u /= -2;
    printf("%u ", u);
    u += -1LL;
    printf("%u ", u);
    u *= -3;
    printf("%u\n", u);

    short s = 30000;
    s += s;
    printf("%d ", s);
    s = -7;
    s *= 10000;
    printf("%d ", s);
    s &= 0xff00ff;
    printf("%d\n", s);

    long long ll = -1;
    ll += 1u;
    printf("%lld ", ll);
    ll = -1;
    ll &= 0xffffffffu;
    printf("%lld ", ll);
    ll -= 0x100000000ULL;
    printf("%lld ", ll);
    ll >>= 40;
    printf("%lld\n", ll);

    float f = 1;
    f += 3;
    f /= 8;
    f *= 3u;
    printf("%g ", f);
    double d = 10;
    d -= 1.5f;
    d /= 4;
    printf("%g\n", d);

    int array[4] = {1, 2, 3, 4};
    int *p = array;
    p += 2;
    *p += 10;
    p -= 1;
    *p *= *(p + 1);
    printf("%d %d %d %d %d\n", array[0], array[1], array[2], array[3], (int)(p - array));
    // The value of a compound assignment is the value after conversion.
    printf("%d\n", (c = 100, c += 100));
    int x = 2, z = 3;
    int y = x += z *= 3;
    printf("%d %d %d\n", x, y, z);
    return 0;
}
