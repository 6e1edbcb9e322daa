// Conversions to and from _Bool: any non-zero value is 1.
#include <stdbool.h>
#include <stdio.h>

static _Bool from_int(int x) { return x; }
static _Bool from_long_long(long long x) { return x; }
static _Bool from_pointer(const void *p) { return p; }
static _Bool from_double(double d) { return d; }

struct flags {
    _Bool a, b;
    bool array[3];
};

int main(void) {
    int object;
    printf("%d %d %d %d\n", from_int(0), from_int(2), from_int(256), from_int(-1));
    printf("%d %d\n", from_long_long(1LL << 40), from_long_long(0));
    printf("%d %d\n", from_pointer(&object), from_pointer(0));
    printf("%d %d %d %d\n", from_double(0.0), from_double(0.25), from_double(-0.0), from_double(-1e300));

    _Bool b = 5;
    printf("%d ", b);
    b += 7;
    printf("%d ", b);
    b -= 1;
    printf("%d ", b);
    b = 0;
    b--;
    printf("%d ", b);
    b--;
    printf("%d ", b);
    b++;
    printf("%d ", b);
    b++;
    printf("%d ", b);
    b <<= 3;
    printf("%d ", b);
    b ^= 2;
    printf("%d ", b);
    b *= 0;
    printf("%d ", b);
    b |= 0x100;
    printf("%d ", b);
    b /= 2;
    printf("%d\n", b);
    b = 0;
    b += 0.5;
    printf("%d\n", b);

    struct flags f = {7, 0, {0x100, 0, -1}};
    printf("%d %d %d %d %d\n", f.a, f.b, f.array[0], f.array[1], f.array[2]);
    printf("%d %d %d\n", ~f.a, -f.a, !f.a);
    printf("%d %d\n", (int)sizeof(_Bool), (int)sizeof(f));
    printf("%d %d %d\n", (_Bool)0x80000000u, (_Bool)(char)256, (int)(_Bool)3 + (_Bool)4);
    printf("%d\n", true + true == 2 && false == 0);
    _Bool *p = &f.b;
    *p = 42;
    printf("%d\n", *p);
    printf("%d\n", (_Bool)&object == (_Bool)&f);
    return 0;
}
