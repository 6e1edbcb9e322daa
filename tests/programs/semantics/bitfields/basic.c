// Bit-fields of all declared types: values after truncation, sign extension, layout in bytes.
#include <stdio.h>
#include <string.h>

struct fields {
    unsigned u1 : 1;
    unsigned u7 : 7;
    int s1 : 1;
    int s5 : 5;
    signed char c3 : 3;
    unsigned char uc8 : 8;
    short h9 : 9;
    unsigned short uh16 : 16;
    long l17 : 17;
    unsigned long ul31 : 31;
    _Bool b : 1;
};

static void dump(const void *p, unsigned n) {
    const unsigned char *bytes = p;
    for (unsigned i = 0; i < n; i++) {
        printf("%02x", bytes[i]);
    }
    printf("\n");
}

static void show(const struct fields *f) {
    printf("%d %d %d %d %d %d %d %d %ld %lu %d\n", f->u1, f->u7, f->s1, f->s5, f->c3, f->uc8, f->h9, f->uh16,
           (long)f->l17, (unsigned long)f->ul31, f->b);
}

int main(void) {
    struct fields f;
    printf("%d\n", (int)sizeof f);
    int samples[] = {0, 1, -1, 2, 3, 5, 16, 31, 100, -100, 255, 256, 12345, -12345, 65535, 65536, 0x12345678};
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++) {
        memset(&f, i % 2 ? 0xff : 0, sizeof f);
        f.u1 = samples[i];
        f.u7 = samples[i];
        f.s1 = samples[i];
        f.s5 = samples[i];
        f.c3 = samples[i];
        f.uc8 = samples[i];
        f.h9 = samples[i];
        f.uh16 = samples[i];
        f.l17 = samples[i];
        f.ul31 = samples[i];
        f.b = samples[i];
        show(&f);
        dump(&f, sizeof f);
    }
    struct fields initial = {1, 100, -1, -16, 3, 200, -256, 60000, -65536, 0x7fffffff, 1};
    show(&initial);
    struct fields copy = initial;
    copy.s5++;
    copy.u7 += 50;
    copy.l17--;
    copy.h9 >>= 2;
    copy.uc8 *= 3;
    copy.b ^= 1;
    copy.ul31 <<= 4;
    show(&copy);
    show(&initial);
    static struct fields zero;
    show(&zero);
    return 0;
}
