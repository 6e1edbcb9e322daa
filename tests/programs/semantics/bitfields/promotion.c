// The type of a bit-field in an expression, and the value of assignments to it.
#include <stdio.h>

struct fields {
    unsigned small : 4;
    unsigned full : 32;
    int negative : 6;
    unsigned long long wide : 40;
    long long wide_signed : 35;
    unsigned long long narrow_in_wide : 10;
    _Bool flag : 1;
};

enum color { RED, GREEN, BLUE, LAST };
enum sign { MINUS = -2, PLUS = 1 };

struct enums {
    enum color c : 2;
    enum sign s : 2;
};

int main(void) {
    struct fields f = {15, 0xffffffff, -32, 0xffffffffffULL, -1, 1023, 1};
    // A field narrower than int promotes to int, so the difference is negative.
    printf("%d %d\n", f.small - 16 < 0, f.full - 1 > 0);
    printf("%d %d\n", -f.small, f.negative * 2);
    printf("%d\n", -1 < f.small);
    printf("%d\n", -1 < f.full);
    printf("%d %d\n", ~f.small, ~f.negative);
    printf("%llu %lld\n", (unsigned long long)(f.wide + 1), (long long)f.wide_signed);
    // gcc computes with the width of a wide field, so this wraps at 40 bits.
    printf("%llu\n", (unsigned long long)(f.wide << 4));
    printf("%llu\n", (unsigned long long)(f.wide * 2));
    printf("%llu\n", (unsigned long long)(f.wide + 1LL));
    printf("%lld\n", (long long)(f.wide_signed * 3));
    printf("%d\n", (int)(f.narrow_in_wide - 1024) < 0);
    printf("%d %d\n", f.flag + f.flag, -f.flag);
    printf("%d\n", f.small << 28 < 0);

    // The value of an assignment is what the field holds afterwards.
    printf("%d ", f.small = 100);
    printf("%d ", f.negative = 100);
    printf("%d ", f.flag = 2);
    printf("%d ", f.small += 14);
    printf("%d ", f.negative -= 60);
    printf("%llu\n", (unsigned long long)(f.wide = -1));
    int x = f.small = f.negative = 45;
    printf("%d %d %d\n", x, f.small, f.negative);
    printf("%d\n", (f.small = 17) == 1);
    printf("%d %d\n", f.small ? 1 : 2, !f.negative);

    struct enums e = {BLUE, MINUS};
    printf("%d %d\n", e.c, e.s);
    e.c++;
    e.s = PLUS;
    printf("%d %d\n", e.c == LAST, e.s);
    e.c++;
    printf("%d\n", e.c);
    switch (f.small) {
    case 1:
        printf("one\n");
        break;
    default:
        printf("not one\n");
    }
    return 0;
}
