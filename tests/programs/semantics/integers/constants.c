// The types and values of integer constants, which depend on the data model.
#include <stdio.h>
#include <limits.h>
#include <stdint.h>

#define NAME(e)                                                                            \
    _Generic((e), int: "int", unsigned: "uint", long: "long", unsigned long: "ulong",      \
             long long: "llong", unsigned long long: "ullong", char: "char", default: "other")
#define SHOW(e) printf("%s: %s %llu %d\n", #e, NAME(e), (unsigned long long)(e), (int)sizeof(e))

enum small { RED, GREEN = 5, BLUE };

int main(void) {
    SHOW(0);
    SHOW(2147483647);
    SHOW(2147483648);
    SHOW(4294967295);
    SHOW(4294967296);
    SHOW(9223372036854775807);
    SHOW(0x7fffffff);
    SHOW(0x80000000);
    SHOW(0xffffffff);
    SHOW(0x100000000);
    SHOW(0x7fffffffffffffff);
    SHOW(0x8000000000000000);
    SHOW(0xffffffffffffffff);
    SHOW(037777777777);
    SHOW(040000000000);
    SHOW(0777);
    SHOW(0b101101);
    SHOW(1u);
    SHOW(1l);
    SHOW(1ul);
    SHOW(1LU);
    SHOW(1ll);
    SHOW(1llu);
    SHOW(1ULL);
    SHOW(4294967295u);
    SHOW(4294967296u);
    SHOW(2147483648l);
    SHOW(4294967295l);
    SHOW(-2147483648);
    SHOW(-2147483647 - 1);
    SHOW('a');
    SHOW(BLUE);
    SHOW(sizeof(int));
    SHOW((char *)8 - (char *)4);
    SHOW(INT_MIN);
    SHOW(UINT_MAX);
    SHOW(LONG_MAX);
    SHOW(ULONG_MAX);
    SHOW(LLONG_MIN);
    SHOW(ULLONG_MAX);
    SHOW(SHRT_MIN);
    SHOW(USHRT_MAX);
    SHOW(SCHAR_MIN);
    SHOW(UCHAR_MAX);
    SHOW(SIZE_MAX);
    SHOW(INT64_MIN);
    SHOW(UINT32_MAX);
    SHOW(INTPTR_MAX);
    SHOW(UINT64_C(12345678901234567890));
    SHOW(INT8_MIN);
    printf("%d %d %d %d\n", (int)sizeof(int_fast8_t), (int)sizeof(int_fast16_t),
           (int)sizeof(int_least32_t), (int)sizeof(intmax_t));
    return 0;
}
