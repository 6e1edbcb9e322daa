// switch: fall-through, default in the middle, ranges, nested, negative, wide, empty.
#include <stdio.h>

static int plain(int n) {
    int r = 0;
    switch (n) {
    case 1:
        r += 1;
    case 2:
        r += 10;
        break;
    default:
        r += 100;
    case 3:
        r += 1000;
        break;
    case -1:
        r = -1;
    }
    return r;
}

static const char *range(int c) {
    switch (c) {
    case '0' ... '9':
        return "digit";
    case 'a' ... 'z':
    case 'A' ... 'Z':
        return "letter";
    case -5 ... -2:
        return "negative";
    case 1000:
        return "thousand";
    }
    return "other";
}

static int wide(long long n) {
    switch (n) {
    case 0x100000000LL:
        return 1;
    case -0x100000000LL:
        return 2;
    case 0:
        return 3;
    case 0x7fffffffffffffffLL:
        return 4;
    case 0x200000000LL ... 0x200000010LL:
        return 5;
    default:
        return 6;
    }
}

static int of_char(char c) {
    switch (c) {
    case -128:
        return 1;
    case 'x':
        return 2;
    case '\xff':
        return 3;
    default:
        return 4;
    }
}

static int of_unsigned(unsigned u) {
    switch (u) {
    case -1:
        return 1;
    case 0x80000000:
        return 2;
    default:
        return 3;
    }
}

static int nested(int a, int b) {
    int r = 0;
    switch (a) {
    case 0:
        switch (b) {
        case 0:
            r = 1;
            break;
        case 1:
            return 2;
        default:
            r = 3;
        }
        r += 10;
        break;
    case 1: {
        int k;
        for (k = 0; k < 10; k++) {
            switch (k - b) {
            case 0:
                continue;
            case 3:
                break;
            default:
                r += k;
                if (k == 8) {
                    goto out;
                }
            }
        }
    out:
        r += 1000;
    }
    }
    return r;
}

static int into_block(int n) {
    int r = 0;
    switch (n) {
        int hidden;
    case 0:
        hidden = 5;
        r = hidden;
        break;
        if (r) {
        case 1:
            r = 10;
        } else {
        case 2:
            r = 20;
        }
        while (r < 100) {
            r *= 2;
        case 3:
            r += 3;
        }
    }
    return r;
}

static int duff(char *to, const char *from, int count) {
    int n = (count + 7) / 8, rounds = 0;
    switch (count % 8) {
    case 0:
        do {
            rounds++;
            *to++ = *from++;
        case 7:
            *to++ = *from++;
        case 6:
            *to++ = *from++;
        case 5:
            *to++ = *from++;
        case 4:
            *to++ = *from++;
        case 3:
            *to++ = *from++;
        case 2:
            *to++ = *from++;
        case 1:
            *to++ = *from++;
        } while (--n > 0);
    }
    return rounds;
}

int main(void) {
    for (int n = -2; n < 5; n++) {
        printf("%d ", plain(n));
    }
    printf("\n%s %s %s %s %s %s\n", range('5'), range('q'), range('Q'), range(-3), range(1000), range('!'));
    printf("%d %d %d %d %d %d %d\n", wide(0x100000000LL), wide(-0x100000000LL), wide(0), wide(0x7fffffffffffffffLL),
           wide(0x200000008LL), wide(1), wide(0x200000011LL));
    printf("%d %d %d %d\n", of_char(-128), of_char('x'), of_char(-1), of_char(127));
    printf("%d %d %d\n", of_unsigned(0xffffffff), of_unsigned(1u << 31), of_unsigned(7));
    printf("%d %d %d %d %d\n", nested(0, 0), nested(0, 1), nested(0, 2), nested(1, 2), nested(2, 2));
    printf("%d %d %d %d %d\n", into_block(0), into_block(1), into_block(2), into_block(3), into_block(4));
    char to[30] = "";
    printf("%d ", duff(to, "a longer text for duff", 23));
    printf("%s\n", to);
    switch (3) {
    }
    switch (3)
        ;
    switch (2)
    case 2:
        printf("without braces\n");
    int evaluated = 0;
    switch (evaluated++, evaluated) {
    case 1:
        printf("once\n");
    }
    switch ((_Bool)4) {
    case 1:
        printf("true\n");
    }
    return 0;
}
