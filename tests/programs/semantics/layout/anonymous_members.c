// Anonymous structures and unions inside structures.
#include <stddef.h>
#include <stdio.h>

struct value {
    int tag;
    union {
        long long integer;
        double real;
        struct {
            short low, high;
        };
        struct {
            unsigned char bytes[8];
        };
    };
    struct {
        char x;
        struct {
            char y;
            int z;
        };
    };
};

struct named {
    int a;
    union {
        int b;
        struct {
            char c, d;
        } parts;
    };
};

union overlay {
    struct {
        int first, second;
    };
    int both[2];
};

int main(void) {
    struct value v = {.tag = 1, .integer = 0x0102030405060708LL, .x = 'x', .y = 'y', .z = 9};
    printf("%d %d %d %d\n", (int)sizeof v, (int)offsetof(struct value, high), (int)offsetof(struct value, y),
           (int)offsetof(struct value, z));
    printf("%x %x %d %d\n", v.low, v.high, v.bytes[0], v.bytes[7]);
    v.high = -1;
    printf("%llx\n", v.integer);
    v.bytes[7] = 0xff;
    printf("%lld %c %c %d\n", v.integer, v.x, v.y, v.z);
    v.real = 1.0;
    printf("%llx\n", v.integer);
    struct value w = v;
    w.z++;
    printf("%d %d %g\n", v.z, w.z, w.real);

    struct named n = {1, {.parts = {2, 3}}};
    printf("%d %d %d %d\n", n.a, n.parts.c, n.parts.d, n.b & 0xffff);
    struct named positional = {4, {5}};
    printf("%d %d %d\n", positional.a, positional.b, positional.parts.c);
    union overlay o = {{10, 20}};
    o.both[1]++;
    printf("%d %d %d\n", o.first, o.second, o.both[0]);
    union overlay p = {.both = {7, 8}};
    printf("%d %d\n", p.first, p.second);
    struct value *q = &v;
    q->low = 3;
    (&q->x)[0] = 'z';
    printf("%d %c\n", q->low, v.x);
    return 0;
}
