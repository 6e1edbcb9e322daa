// Shifts of every type by every allowed amount; the right operand does not change the type.
#include <stdio.h>

#define SHIFTS(name, T, bits, shown)                                                       \
    static void name(T value) {                                                            \
        unsigned long long left = 0, right = 0;                                            \
        for (int n = 0; n < bits; n++) {                                                   \
            left = left * 31 + (unsigned long long)(value << n);                           \
            right = right * 31 + (unsigned long long)(value >> n);                         \
            T copy = value;                                                                \
            copy <<= n;                                                                    \
            left = left * 31 + (unsigned long long)copy;                                   \
            copy = value;                                                                  \
            copy >>= n;                                                                    \
            right = right * 31 + (unsigned long long)copy;                                 \
        }                                                                                  \
        printf("%s %llx: %llx %llx, %llx %llx\n", #T, (unsigned long long)value, left,     \
               right, (unsigned long long)(value >> shown), (unsigned long long)(value << shown)); \
    }

SHIFTS(shift_schar, signed char, 31, 3)
SHIFTS(shift_uchar, unsigned char, 31, 3)
SHIFTS(shift_short, short, 31, 9)
SHIFTS(shift_ushort, unsigned short, 31, 9)
SHIFTS(shift_int, int, 32, 17)
SHIFTS(shift_uint, unsigned, 32, 17)
SHIFTS(shift_long, long, (int)(8 * sizeof(long)), 29)
SHIFTS(shift_ulong, unsigned long, (int)(8 * sizeof(long)), 29)
SHIFTS(shift_llong, long long, 64, 45)
SHIFTS(shift_ullong, unsigned long long, 64, 45)

int main(void) {
    long long samples[] = {1, 0x55, -1, -2, 0x80, 0x8000, 0x7fff, 0x80000000LL, 0x12345678,
                           -0x12345678, 0x123456789abcdefLL, -0x123456789abcdefLL};
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        shift_schar(samples[i]);
        shift_uchar(samples[i]);
        shift_short(samples[i]);
        shift_ushort(samples[i]);
        shift_int(samples[i]);
        shift_uint(samples[i]);
        shift_long(samples[i]);
        shift_ulong(samples[i]);
        shift_llong(samples[i]);
        shift_ullong(samples[i]);
    }
    unsigned char amount = 4;
    long long wide_amount = 5;
    printf("%d %d\n", 1 << amount, 1 << wide_amount);
    printf("%d %d\n", (int)sizeof(1 << wide_amount), (int)sizeof(1LL << amount));
    printf("%d\n", (int)sizeof((char)1 << wide_amount));
    printf("%x\n", 0x80000000u >> 31);
    printf("%d\n", (int)0x80000000 >> 31);
    unsigned char uc = 0xff;
    printf("%x %x\n", uc << 4, (unsigned char)(uc << 4));
    printf("%x\n", ~uc >> 4);
    printf("%x\n", (unsigned char)~uc >> 4);
    return 0;
}
