// Conversions between integer types of every width: truncation, sign and zero extension.
#include <stdio.h>

#define CONVERT(T, value) printf("  %s %lld\n", #T, (long long)(T)(value))
#define ALL(name, S)                                         \
    static void name(S value) {                              \
        printf("%s %lld\n", #S, (long long)value);           \
        CONVERT(_Bool, value);                               \
        CONVERT(char, value);                                \
        CONVERT(signed char, value);                         \
        CONVERT(unsigned char, value);                       \
        CONVERT(short, value);                               \
        CONVERT(unsigned short, value);                      \
        CONVERT(int, value);                                 \
        CONVERT(unsigned, value);                            \
        CONVERT(long, value);                                \
        CONVERT(unsigned long, value);                       \
        CONVERT(long long, value);                           \
        CONVERT(unsigned long long, value);                  \
    }

ALL(from_bool, _Bool)
ALL(from_schar, signed char)
ALL(from_uchar, unsigned char)
ALL(from_short, short)
ALL(from_ushort, unsigned short)
ALL(from_int, int)
ALL(from_uint, unsigned)
ALL(from_long, long)
ALL(from_ulong, unsigned long)
ALL(from_llong, long long)
ALL(from_ullong, unsigned long long)

static int returns_narrowed(long long v) { return v; }
static signed char returns_char(int v) { return v; }
static unsigned char takes_uchar(unsigned char c) { return c; }

int main(void) {
    long long samples[] = {0, 1, -1, 127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 65536,
                           2147483647LL, 2147483648LL, 4294967295LL, 4294967296LL,
                           -2147483648LL, -2147483649LL, 0x7fffffffffffffffLL,
                           -0x7fffffffffffffffLL - 1, 0x123456789abcdef0LL};
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        from_bool(samples[i]);
        from_schar(samples[i]);
        from_uchar(samples[i]);
        from_short(samples[i]);
        from_ushort(samples[i]);
        from_int(samples[i]);
        from_uint(samples[i]);
        from_long(samples[i]);
        from_ulong(samples[i]);
        from_llong(samples[i]);
        from_ullong(samples[i]);
        printf("%d %d %d\n", returns_narrowed(samples[i]), returns_char(samples[i]),
               takes_uchar(samples[i]));
    }
    return 0;
}
