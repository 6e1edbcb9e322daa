// ctype.h on all characters in the "C" locale, and conversions of stdlib.h.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    for (int c = 0; c < 128; c++) {
        int classes = !!isalpha(c) | !!isdigit(c) << 1 | !!isalnum(c) << 2 | !!isspace(c) << 3 | !!isupper(c) << 4 |
                      !!islower(c) << 5 | !!ispunct(c) << 6 | !!isxdigit(c) << 7 | !!isprint(c) << 8 |
                      !!isgraph(c) << 9 | !!iscntrl(c) << 10;
        printf("%x %d %d\n", classes, toupper(c), tolower(c));
    }
    printf("%d %d\n", isalpha(EOF), toupper(EOF));
    printf("%d %d %d %d\n", atoi("42"), atoi("  -17abc"), atoi("+8"), atoi("none"));
    printf("%ld %lld\n", atol("123456"), atoll("-9876543210"));
    char *end;
    printf("%ld ", strtol("0x1fz", &end, 16));
    printf("%s ", end);
    printf("%ld ", strtol("077", &end, 0));
    printf("%d ", *end);
    printf("%ld ", strtol("zz", &end, 36));
    printf("%lu ", strtoul("4294967295", 0, 10));
    printf("%llu ", strtoull("18446744073709551615", 0, 10));
    printf("%lld\n", strtoll("-9223372036854775808", 0, 10));
    printf("%g %g\n", atof("2.5"), strtod("-1e3rest", &end));
    printf("%s\n", end);
    printf("%d %ld %lld\n", abs(-5), labs(-6L), llabs(-7LL));
    return 0;
}
