// ++ and -- before and after objects of every type.
#include <stdio.h>

#define STEPS(T, start, format)                                              \
    {                                                                        \
        T x = start;                                                         \
        T a = x++;                                                           \
        T b = ++x;                                                           \
        T c = x--;                                                           \
        T d = --x;                                                           \
        printf(#T ": " format " " format " " format " " format " " format "\n", a, b, c, d, x); \
    }

struct bits {
    unsigned u : 3;
    int s : 3;
    _Bool b : 1;
};

struct pair {
    int x, y;
};

int main(void) {
    STEPS(char, 126, "%d")
    STEPS(signed char, -128, "%d")
    STEPS(unsigned char, 254, "%d")
    STEPS(short, 32766, "%d")
    STEPS(unsigned short, 65535, "%d")
    STEPS(int, 2147483646, "%d")
    STEPS(unsigned, 4294967295u, "%u")
    STEPS(long, -1, "%ld")
    STEPS(unsigned long, 0, "%lu")
    STEPS(long long, 9223372036854775806LL, "%lld")
    STEPS(unsigned long long, 18446744073709551615ULL, "%llu")
    STEPS(float, 0.5f, "%g")
    STEPS(double, -1.25, "%g")
    STEPS(long double, 3.5L, "%Lg")

    _Bool b = 0;
    printf("%d", b++);
    printf("%d", b++);
    printf("%d", b--);
    printf("%d", b--);
    printf("%d", b);
    printf("%d", ++b);
    printf("%d", --b);
    printf("%d\n", b);

    struct bits f = {6, 2, 0};
    printf("%d ", f.u++);
    printf("%d ", f.u++);
    printf("%d ", f.u);
    printf("%d ", --f.u);
    printf("%d ", f.s++);
    printf("%d ", f.s++);
    printf("%d ", f.s--);
    printf("%d ", f.s);
    printf("%d ", ++f.b);
    printf("%d\n", --f.b);

    int array[5] = {10, 20, 30, 40, 50};
    int *p = array;
    printf("%d ", *p++);
    printf("%d ", *++p);
    printf("%d ", ++*p);
    printf("%d ", (*p)++);
    printf("%d ", *p--);
    printf("%d ", *--p);
    printf("%d\n", (int)(p - array));

    struct pair pairs[3] = {{1, 2}, {3, 4}, {5, 6}};
    struct pair *q = pairs;
    printf("%d ", q++->x);
    printf("%d ", (++q)->y);
    printf("%d ", q->x++);
    printf("%d ", ++q->x);
    printf("%d\n", (int)((char *)q - (char *)pairs));

    char text[] = "abc", *t = text;
    while (*t) {
        ++*t++;
    }
    printf("%s\n", text);
    int i = 0;
    array[i++]++;
    printf("%d %d\n", i, array[0]);
    volatile int v = 3;
    v++;
    printf("%d\n", v--);
    printf("%d\n", v);
    const int rows[2][2] = {{1, 2}, {3, 4}};
    const int(*row)[2] = rows;
    row++;
    printf("%d\n", (*row)[0]);
    return 0;
}
