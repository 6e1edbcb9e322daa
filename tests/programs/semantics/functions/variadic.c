// Variadic functions: promoted types, va_copy, passing the list on, structures.
#include <stdarg.h>
#include <stdio.h>

struct small {
    char c;
};
struct pair {
    int a, b;
};
struct large {
    long long values[5];
};
struct mixed {
    double d;
    int i;
};

static int sum(int count, ...) {
    va_list list;
    va_start(list, count);
    int total = 0;
    while (count--) {
        total += va_arg(list, int);
    }
    va_end(list);
    return total;
}

static void typed(const char *types, ...) {
    va_list list;
    va_start(list, types);
    for (; *types; types++) {
        switch (*types) {
        case 'i':
            printf("%d ", va_arg(list, int));
            break;
        case 'u':
            printf("%u ", va_arg(list, unsigned));
            break;
        case 'l':
            printf("%ld ", va_arg(list, long));
            break;
        case 'L':
            printf("%lld ", va_arg(list, long long));
            break;
        case 'd':
            printf("%g ", va_arg(list, double));
            break;
        case 'D':
            printf("%Lg ", va_arg(list, long double));
            break;
        case 's':
            printf("%s ", va_arg(list, const char *));
            break;
        case 'p': {
            int *p = va_arg(list, int *);
            printf("%d ", p ? *p : -1);
            break;
        }
        case 'S': {
            struct small s = va_arg(list, struct small);
            printf("{%d} ", s.c);
            break;
        }
        case 'P':
            printf("{%d} ", va_arg(list, struct pair).b);
            break;
        case 'G': {
            struct large g = va_arg(list, struct large);
            printf("{%lld} ", g.values[4]);
            break;
        }
        case 'M': {
            struct mixed m = va_arg(list, struct mixed);
            printf("{%g %d} ", m.d, m.i);
            break;
        }
        case 'f': {
            int (*f)(int, ...) = va_arg(list, int (*)(int, ...));
            printf("%d ", f(2, 20, 22));
            break;
        }
        }
    }
    va_end(list);
    printf("\n");
}

static int inner(int count, va_list list) {
    int total = 0;
    while (count--) {
        total = total * 10 + va_arg(list, int);
    }
    return total;
}

static int outer(int count, ...) {
    va_list list, copy;
    va_start(list, count);
    va_copy(copy, list);
    int first = inner(count, list);
    va_end(list);
    int second = va_arg(copy, int);
    va_end(copy);
    return first + second;
}

static void advance(va_list *list, int n) {
    while (n--) {
        (void)va_arg(*list, int);
    }
}

static int third(int first, ...) {
    va_list list;
    va_start(list, first);
    advance(&list, 2);
    int result = va_arg(list, int);
    va_end(list);
    va_start(list, first);
    result = result * 100 + va_arg(list, int);
    va_end(list);
    return result;
}

static int format(char *to, const char *f, ...) {
    va_list list;
    va_start(list, f);
    int n = vsprintf(to, f, list);
    va_end(list);
    return n;
}

static int recursive(int n, ...) {
    va_list list;
    va_start(list, n);
    int next = va_arg(list, int);
    va_end(list);
    return n == 0 ? next : recursive(n - 1, next + n) + 1;
}

int main(void) {
    printf("%d %d\n", sum(0), sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    char c = -3;
    short s = 400;
    float f = 1.25f;
    _Bool b = 1;
    unsigned char uc = 200;
    struct {
        unsigned field : 5;
    } bits = {21};
    typed("iiiid", c, s, b, uc, f);
    typed("ii", bits.field, 'x');
    typed("iulLdDs", -1, 4000000000u, -2L, -3LL, 0.5, 2.5L, "text");
    int x = 42;
    typed("pp", &x, (int *)0);
    typed("SPGMi", (struct small){7}, (struct pair){1, 2}, (struct large){{0, 0, 0, 0, 55}}, (struct mixed){1.5, 3}, 9);
    typed("iiiiiiiiddddddddddDsi", 1, 2, 3, 4, 5, 6, 7, 8, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.L, "end", 12);
    typed("GdGi", (struct large){{1, 2, 3, 4, 5}}, 2.5, (struct large){{6, 7, 8, 9, 10}}, 3);
    typed("f", sum);
    printf("%d %d\n", outer(3, 1, 2, 3), third(0, 10, 20, 30));
    char buffer[64];
    printf("%d ", format(buffer, "%d-%s-%c", 12, "abc", 'z'));
    printf("%s\n", buffer);
    printf("%d\n", recursive(4, 0));
    return 0;
}
