// __builtin_* on bits and bytes.
#include <stdio.h>

int main(void) {
    unsigned values[] = {1, 2, 3, 0x80000000u, 0xffffffffu, 0x12345678, 0x00f00000};
    for (int i = 0; i < 7; i++) {
        unsigned v = values[i];
        unsigned long l = v;
        unsigned long long w = (unsigned long long)v << 20 | v;
        printf("%d %d %d %d %d\n", __builtin_popcount(v), __builtin_clz(v), __builtin_ctz(v), __builtin_ffs(v),
               __builtin_parity(v));
        printf("%d %d %d %d %d\n", __builtin_popcountl(l), __builtin_clzl(l), __builtin_ctzl(l), __builtin_ffsl(l),
               __builtin_parityl(l));
        printf("%d %d %d %d %d\n", __builtin_popcountll(w), __builtin_clzll(w), __builtin_ctzll(w), __builtin_ffsll(w),
               __builtin_parityll(w));
        printf("%x %x %llx\n", __builtin_bswap16(v), __builtin_bswap32(v), (unsigned long long)__builtin_bswap64(w));
        printf("%d\n", __builtin_clrsb((int)v));
    }
    printf("%d %d\n", __builtin_ffs(0), __builtin_popcount(0));
    printf("%ld %d\n", __builtin_expect(5 > 3, 1), (int)sizeof(__builtin_expect(1, 1)));
    if (__builtin_expect(!!(values[0]), 0)) {
        printf("unlikely\n");
    }
    struct s {
        char c;
        struct {
            int a[3];
        } inner;
    };
    printf("%d %d\n", (int)__builtin_offsetof(struct s, inner), (int)__builtin_offsetof(struct s, inner.a[2]));
    printf("%d %d %ld %lld\n", __builtin_abs(-3), __builtin_abs(4), __builtin_labs(-5L), __builtin_llabs(-6LL));
    return 0;
}
