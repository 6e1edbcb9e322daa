// Packed structures, by attribute and by pragma; unaligned access through members.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) tight {
    char c;
    int i;
    short s;
    long long ll;
    void *p;
};

struct member_packed {
    char c;
    int i __attribute__((packed));
    short s;
    double d __attribute__((packed));
};

#pragma pack(push, 1)
struct by_pragma {
    char c;
    int i;
    struct {
        char d;
        short s;
    } inner;
};
#pragma pack(2)
struct by_two {
    char c;
    int i;
    long long ll;
};
#pragma pack(pop)

struct after_pragma {
    char c;
    int i;
};

struct __attribute__((packed)) bits {
    unsigned a : 5;
    unsigned b : 13;
    unsigned c : 30;
    char d;
    int e : 7;
};

struct loose {
    char c;
    int i;
};

struct __attribute__((packed)) contains_loose {
    char c;
    struct loose inner;
    char d;
};

union __attribute__((packed)) packed_union {
    char c;
    int i;
};

#define SIZE(T) printf("%s %d %d\n", #T, (int)sizeof(T), (int)_Alignof(T))

int main(void) {
    SIZE(struct tight);
    SIZE(struct member_packed);
    SIZE(struct by_pragma);
    SIZE(struct by_two);
    SIZE(struct after_pragma);
    SIZE(struct bits);
    SIZE(struct contains_loose);
    SIZE(union packed_union);
    printf("%d %d %d %d\n", (int)offsetof(struct tight, i), (int)offsetof(struct tight, s),
           (int)offsetof(struct tight, ll), (int)offsetof(struct tight, p));
    printf("%d %d %d\n", (int)offsetof(struct member_packed, i), (int)offsetof(struct member_packed, s),
           (int)offsetof(struct member_packed, d));
    printf("%d %d\n", (int)offsetof(struct by_two, i), (int)offsetof(struct by_two, ll));
    printf("%d %d\n", (int)offsetof(struct contains_loose, inner.i), (int)offsetof(struct bits, d));

    struct tight t = {1, -2, 3, -4, &t};
    t.i += 100;
    t.ll *= t.s;
    printf("%d %d %d %lld %d\n", t.c, t.i, t.s, t.ll, t.p == &t);
    unsigned char raw[sizeof(struct by_pragma)];
    struct by_pragma b = {0x11, 0x22334455, {0x66, 0x7788}};
    memcpy(raw, &b, sizeof raw);
    for (unsigned i = 0; i < sizeof raw; i++) {
        printf("%02x", raw[i]);
    }
    printf("\n");
    struct tight array[3];
    for (int i = 0; i < 3; i++) {
        array[i].i = i * 1000003;
        array[i].ll = -array[i].i;
    }
    printf("%d %lld\n", array[1].i, array[2].ll);
    struct bits f = {31, 8191, 1 << 29, -1, -64};
    printf("%d %d %d %d %d\n", f.a, f.b, f.c, f.d, f.e);
    memcpy(raw, &f, sizeof f);
    for (unsigned i = 0; i < sizeof f; i++) {
        printf("%02x", raw[i]);
    }
    printf("\n");
    return 0;
}
