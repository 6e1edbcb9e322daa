// Alignment asked for by attribute and by _Alignas, on types, members and variables.
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct aligned_member {
    char c;
    int i __attribute__((aligned(16)));
    char d;
};

struct __attribute__((aligned(32))) aligned_type {
    char c;
};

typedef int wide_int __attribute__((aligned(8)));
typedef struct {
    char c;
    wide_int w;
} uses_typedef;

struct alignas_member {
    char a;
    _Alignas(8) char b;
    alignas(double) char c;
    _Alignas(0) char d;
};

struct __attribute__((packed, aligned(4))) packed_and_aligned {
    char c;
    int i;
};

struct max_aligned {
    char c;
    int i __attribute__((aligned));
};

static _Alignas(64) char buffer[3];
static int aligned_int __attribute__((aligned(128)));

int main(void) {
    printf("%d %d %d\n", (int)sizeof(struct aligned_member), (int)offsetof(struct aligned_member, i),
           (int)offsetof(struct aligned_member, d));
    printf("%d %d\n", (int)sizeof(struct aligned_type), (int)_Alignof(struct aligned_type));
    printf("%d %d\n", (int)sizeof(uses_typedef), (int)offsetof(uses_typedef, w));
    printf("%d %d %d %d\n", (int)sizeof(struct alignas_member), (int)offsetof(struct alignas_member, b),
           (int)offsetof(struct alignas_member, c), (int)offsetof(struct alignas_member, d));
    printf("%d %d\n", (int)sizeof(struct packed_and_aligned), (int)_Alignof(struct packed_and_aligned));
    printf("%d\n", (int)sizeof(struct max_aligned));
    printf("%d %d\n", (int)((uintptr_t)buffer % 64), (int)((uintptr_t)&aligned_int % 128));
    _Alignas(32) char local[5];
    struct aligned_type array[2];
    printf("%d %d\n", (int)((uintptr_t)local % 32), (int)((uintptr_t)&array[1] % 32));
    printf("%d\n", (int)((char *)&array[1] - (char *)&array[0]));
    printf("%d %d %d\n", (int)alignof(char), (int)alignof(short[7]), (int)alignof(int *) == (int)sizeof(int *));
    printf("%d %d %d\n", (int)_Alignof(long long), (int)_Alignof(double), (int)_Alignof(long double));
    printf("%d %d\n", (int)_Alignof(long long), (int)_Alignof(double));
    printf("%d\n", (int)_Alignof(max_align_t));
    return 0;
}
