// Where bit-fields go: units, fields that do not fit, zero width, mixed types, neighbours.
#include <stdio.h>
#include <string.h>

static void dump(const void *p, unsigned n) {
    const unsigned char *bytes = p;
    for (unsigned i = 0; i < n; i++) {
        printf("%02x", bytes[i]);
    }
    printf("\n");
}

// Stores all ones in one field of a zeroed object, which shows where the field is.
#define WHERE(T, field)                          \
    {                                            \
        T object;                                \
        memset(&object, 0, sizeof object);       \
        object.field = -1;                       \
        printf("%s.%s ", #T, #field);            \
        dump(&object, sizeof object);            \
    }

struct no_fit { int a : 20; int b : 20; int c : 5; };
struct mixed_units { char a : 5; int b : 10; short c : 7; long long d : 33; char e : 3; };
struct zero_width { int a : 3; int : 0; int b : 3; char : 0; int c : 2; };
struct unnamed { unsigned a : 4; unsigned : 9; unsigned b : 4; unsigned : 20; unsigned c : 1; };
struct neighbours { char before; int a : 6; char middle; int b : 12; char after; };
struct exact { unsigned a : 32; unsigned b : 8; unsigned c : 24; };
struct wide { unsigned long long a : 40; unsigned long long b : 24; unsigned long long c : 64; };
struct wide_cross { unsigned long long a : 40; unsigned long long b : 40; };
struct after_char { char c; long long a : 10; };
struct only_unnamed { int : 5; char c; };
struct bools { _Bool a : 1; _Bool b : 1; int c : 30; _Bool d : 1; };
struct nested { struct { int a : 3; } inner; int b : 3; };

int main(void) {
    WHERE(struct no_fit, a)
    WHERE(struct no_fit, b)
    WHERE(struct no_fit, c)
    WHERE(struct mixed_units, a)
    WHERE(struct mixed_units, b)
    WHERE(struct mixed_units, c)
    WHERE(struct mixed_units, d)
    WHERE(struct mixed_units, e)
    WHERE(struct zero_width, a)
    WHERE(struct zero_width, b)
    WHERE(struct zero_width, c)
    WHERE(struct unnamed, a)
    WHERE(struct unnamed, b)
    WHERE(struct unnamed, c)
    WHERE(struct neighbours, before)
    WHERE(struct neighbours, a)
    WHERE(struct neighbours, middle)
    WHERE(struct neighbours, b)
    WHERE(struct neighbours, after)
    WHERE(struct exact, a)
    WHERE(struct exact, b)
    WHERE(struct exact, c)
    WHERE(struct wide, a)
    WHERE(struct wide, b)
    WHERE(struct wide, c)
    WHERE(struct wide_cross, a)
    WHERE(struct wide_cross, b)
    WHERE(struct after_char, c)
    WHERE(struct after_char, a)
    WHERE(struct only_unnamed, c)
    WHERE(struct bools, a)
    WHERE(struct bools, b)
    WHERE(struct bools, c)
    WHERE(struct bools, d)
    WHERE(struct nested, inner.a)
    WHERE(struct nested, b)
    printf("%d %d %d\n", (int)_Alignof(struct no_fit), (int)_Alignof(struct after_char),
           (int)_Alignof(struct zero_width));
    struct neighbours n = {1, 2, 3, 4, 5};
    n.a = -7;
    n.b = 2047;
    printf("%d %d %d %d %d\n", n.before, n.a, n.middle, n.b, n.after);
    return 0;
}
