// The type and value of an operation on every pair of integer types.
#include <stdio.h>

#define NAME(e)                                                                                    \
    _Generic((e), _Bool: "_Bool", char: "char", signed char: "schar", unsigned char: "uchar",      \
             short: "short", unsigned short: "ushort", int: "int", unsigned: "uint", long: "long", \
             unsigned long: "ulong", long long: "llong", unsigned long long: "ullong",             \
             default: "other")

#define EACH_LEFT(M)                                                                        \
    M(_Bool) M(char) M(signed char) M(unsigned char) M(short) M(unsigned short) M(int)      \
    M(unsigned) M(long) M(unsigned long) M(long long) M(unsigned long long)
#define EACH_RIGHT(M, T)                                                                    \
    M(T, _Bool) M(T, char) M(T, signed char) M(T, unsigned char) M(T, short)                \
    M(T, unsigned short) M(T, int) M(T, unsigned) M(T, long) M(T, unsigned long)            \
    M(T, long long) M(T, unsigned long long)

#define PAIR(T, U)                                                                          \
    {                                                                                       \
        T a = (T)-7;                                                                        \
        U b = (U)-3;                                                                        \
        printf("%s, %s: %s %s %s %lld %lld %lld %lld %d\n", #T, #U, NAME(a + b),            \
               NAME(a << b % 2), NAME(1 ? a : b), (long long)(a + b), (long long)(a * b),   \
               (long long)(a / b), (long long)(a % b), a < b);                              \
    }
#define ROW(T)              \
    static void ROW_NAME(void) { EACH_RIGHT(PAIR, T) }

// One function for each left type keeps the functions small.
#define ROW_NAME row_bool
ROW(_Bool)
#undef ROW_NAME
#define ROW_NAME row_char
ROW(char)
#undef ROW_NAME
#define ROW_NAME row_schar
ROW(signed char)
#undef ROW_NAME
#define ROW_NAME row_uchar
ROW(unsigned char)
#undef ROW_NAME
#define ROW_NAME row_short
ROW(short)
#undef ROW_NAME
#define ROW_NAME row_ushort
ROW(unsigned short)
#undef ROW_NAME
#define ROW_NAME row_int
ROW(int)
#undef ROW_NAME
#define ROW_NAME row_uint
ROW(unsigned)
#undef ROW_NAME
#define ROW_NAME row_long
ROW(long)
#undef ROW_NAME
#define ROW_NAME row_ulong
ROW(unsigned long)
#undef ROW_NAME
#define ROW_NAME row_llong
ROW(long long)
#undef ROW_NAME
#define ROW_NAME row_ullong
ROW(unsigned long long)

#define UNARY(T)                                                                            \
    {                                                                                       \
        T a = (T)-7;                                                                        \
        printf("%s: %s %s %s %s %lld %lld %d\n", #T, NAME(+a), NAME(-a), NAME(~a), NAME(!a), \
               (long long)-a, (long long)~a, !a);                                           \
    }

int main(void) {
    row_bool();
    row_char();
    row_schar();
    row_uchar();
    row_short();
    row_ushort();
    row_int();
    row_uint();
    row_long();
    row_ulong();
    row_llong();
    row_ullong();
    EACH_LEFT(UNARY)
    return 0;
}
