// Objects of structures that are completed after their tentative definition.
#include <stdio.h>

struct later x;
struct later *pointer = &x;
struct later y, z;
union choice u;

extern struct later elsewhere;

struct later {
    int a, b;
};

union choice {
    int i;
    char c[8];
};

struct later z = { 4, 5 };
struct later elsewhere = { 6, 7 };

int main(void) {
    pointer->a = 3;
    u.c[1] = 1;
    printf("%d %d %d %d\n", x.a, x.b, y.a, z.b);
    printf("%d %d %d\n", (int)sizeof x, (int)sizeof u, u.i);
    printf("%d\n", elsewhere.b);
    return 0;
}
