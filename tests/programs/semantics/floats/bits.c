// models: lp64
// Representation of floating-point values, read and written through memory.
#include <stdio.h>
#include <string.h>

static unsigned bits_of_float(float f) {
    unsigned u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static unsigned long long bits_of_double(double d) {
    unsigned long long u;
    memcpy(&u, &d, sizeof u);
    return u;
}

static double double_of_bits(unsigned long long u) {
    union {
        unsigned long long u;
        double d;
    } pun = {u};
    return pun.d;
}

int main(void) {
    printf("%08x %08x %08x %08x\n", bits_of_float(1), bits_of_float(-2.5f), bits_of_float(0.1f), bits_of_float(1e-45f));
    printf("%016llx %016llx\n", bits_of_double(1), bits_of_double(-0.1));
    printf("%016llx %016llx\n", bits_of_double(1e400), bits_of_double(-0.0));
    printf("%.17g %.17g\n", double_of_bits(0x3ff0000000000001), double_of_bits(1));
    printf("%.17g\n", double_of_bits(0x7fefffffffffffff));
    printf("%d\n", double_of_bits(0x7ff8000000000000) == double_of_bits(0x7ff8000000000000));
    float array[2] = {1, 2};
    unsigned char *bytes = (unsigned char *)array;
    bytes[3] = 0xc0;
    printf("%g\n", array[0]);
    printf("%08x\n", bits_of_float(bits_of_float(0.5f)));
    // Fast inverse square root.
    float x = 4.0f;
    unsigned i = 0x5f3759df - (bits_of_float(x) >> 1);
    float y;
    memcpy(&y, &i, sizeof y);
    y = y * (1.5f - 0.5f * x * y * y);
    printf("%.9g\n", y);
    return 0;
}
