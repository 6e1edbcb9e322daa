// Bit-fields in unions, in arrays of structures, through pointers, and as loop counters.
#include <stdio.h>
#include <string.h>

union word {
    unsigned whole;
    struct {
        unsigned low : 8;
        unsigned mid : 12;
        int high : 12;
    } parts;
    unsigned nibble : 4;
    long long wide : 36;
};

union ieee {
    float f;
    struct {
        unsigned fraction : 23;
        unsigned exponent : 8;
        unsigned sign : 1;
    } bits;
};

struct packet {
    unsigned version : 4, length : 4;
    unsigned char type;
    unsigned short port;
    union {
        unsigned flags : 3;
        unsigned char raw;
    };
};

static int sum(struct packet *p, int n) {
    int total = 0;
    for (int i = 0; i < n; i++) {
        total += p[i].version * 1000 + p[i].length * 100 + p[i].flags;
    }
    return total;
}

int main(void) {
    union word w;
    memset(&w, 0, sizeof w);
    w.whole = 0xdeadbeef;
    printf("%x %x %d %x\n", w.parts.low, w.parts.mid, w.parts.high, w.nibble);
    w.parts.high = 5;
    w.nibble = 0;
    printf("%x\n", w.whole);
    w.wide = -1;
    printf("%x %lld %d\n", w.whole, (long long)w.wide, (int)sizeof w);

    union ieee f = {-6.5f};
    printf("%u %u %x\n", f.bits.sign, f.bits.exponent, f.bits.fraction);
    f.bits.sign = 0;
    f.bits.exponent += 2;
    printf("%g\n", f.f);

    struct packet packets[3] = {{4, 5, 6, 80, {7}}, {.version = 6, .raw = 0xff}, {15, 15}};
    packets[2].length--;
    packets[2].flags = packets[0].flags ^ 2;
    printf("%d %d\n", sum(packets, 3), (int)sizeof(struct packet));
    struct packet *p = &packets[1];
    p->version = p->length = 9;
    p->raw = 0;
    p->flags = ~0;
    printf("%d %d %d\n", p->version, p->length, p->raw);
    struct packet copy = *p;
    copy.version = 0;
    printf("%d %d\n", p->version, copy.length);

    struct {
        unsigned i : 3;
        signed j : 3;
    } counter = {0, -4};
    int turns = 0;
    do {
        turns++;
    } while (++counter.i);
    do {
        turns += 10;
    } while (++counter.j != -4);
    printf("%d\n", turns);
    volatile struct {
        unsigned a : 5;
    } v = {31};
    v.a += 2;
    printf("%d\n", v.a);
    return 0;
}
