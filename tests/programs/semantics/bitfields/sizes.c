// The value of an assignment to a bit-field has the type of the bit-field: its size is that of the smallest integer
// that holds it.
#include <stdio.h>

struct s {
    int a : 3;
    unsigned char c : 2;
    long long l : 40;
    _Bool b : 1;
    unsigned long long m : 33;
    int f : 32;
    short h : 10;
    unsigned u : 17;
    long long w : 20;
    long long z : 64;
    int p : 8;
    long long q : 16;
} x;

#define SHOW(e) printf("%s %d\n", #e, (int)sizeof(e))

int main(void) {
    SHOW(x.a = 1);
    SHOW(x.c = 1);
    SHOW(x.l = 1);
    SHOW(x.b = 1);
    SHOW(x.m = 1);
    SHOW(x.f = 1);
    SHOW(x.h = 1);
    SHOW(x.u = 1);
    SHOW(x.w = 1);
    SHOW(x.z = 1);
    SHOW(x.p = 1);
    SHOW(x.q = 1);
    SHOW(x.a += 1);
    SHOW(x.w <<= 1);
    SHOW(x.a++);
    SHOW(--x.w);
    SHOW((0, x.a));
    SHOW((0, x.w = 1));
    SHOW(({ x.w; }));
    SHOW(({ x.w = 1; }));
    SHOW(x.a = x.w = 1);
    SHOW(+x.c);
    SHOW(x.w + 1);
    SHOW(x.l + 1);
    SHOW((x.a = 1) + 1);
    SHOW(1 ? x.c : x.c);
    SHOW(1 ? (x.w = 1) : (x.w = 1));
    SHOW((char)(x.l = 1));
    SHOW(sizeof(x.a = 1) * 2);
    printf("%d\n", (int)(sizeof(x.a = 1) * 2));
    return 0;
}
